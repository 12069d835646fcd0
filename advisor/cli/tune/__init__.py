"""The command `advisor tune`."""
