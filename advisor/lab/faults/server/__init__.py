"""Faults of the server process: paused, killed, limited."""
