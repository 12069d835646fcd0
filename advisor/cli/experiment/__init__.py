"""The command `advisor experiment`."""
