"""Faults of the server process: stopped, killed, held back."""
