"""The command `advisor compare`."""
