"""Disk and memory faults: a slow disk, a full disk, a small buffer pool, a small redo log."""
