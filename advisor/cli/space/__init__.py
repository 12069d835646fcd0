"""The command `advisor space`."""
