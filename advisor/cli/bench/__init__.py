"""The command `advisor bench`."""
