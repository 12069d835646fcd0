"""The command `advisor collect`."""
