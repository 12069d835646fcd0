"""The command `advisor explain`."""
