"""Faults of the link between members."""
