"""Faults that clients cause: locks, huge transactions, schema changes, old snapshots."""
