"""The command `advisor completion`."""
