"""Network faults between members."""
