"""The command `advisor dashboard`."""
