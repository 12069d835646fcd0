"""The command `advisor move`."""
