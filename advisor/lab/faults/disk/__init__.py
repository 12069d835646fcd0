"""Faults of disk and memory: slow, full, pages and redo too small."""
