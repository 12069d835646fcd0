"""Tuning histories that others measured on real MySQL servers, as an outside test of the search."""
