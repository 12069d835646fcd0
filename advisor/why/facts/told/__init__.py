"""What do people's own words say? Facts from notes, stacks, log lines and thread states that were handed over."""
