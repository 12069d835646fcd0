"""Faults of applying, acknowledging and flow control."""
