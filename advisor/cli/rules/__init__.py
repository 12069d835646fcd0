"""The command `advisor rules`."""
