"""What do commands answer that compare or change servers as a whole? Records only, as everywhere in `model/`.

`comparison` which servers are comparable, and in what they differ.
"""
