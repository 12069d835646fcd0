"""The command `advisor lab`."""
