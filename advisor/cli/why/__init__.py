"""The command `advisor why`."""
