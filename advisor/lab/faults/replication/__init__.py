"""Faults of appliers, acknowledgements and flow control."""
