"""The command `advisor watch`."""
