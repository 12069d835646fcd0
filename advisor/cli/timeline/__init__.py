"""The command `advisor timeline`."""
