"""The command `advisor check`."""
