"""The command `advisor options`."""
