"""What is passed around of monitoring: a `history` of readings, its `timeline`, and what is watched `now`."""
