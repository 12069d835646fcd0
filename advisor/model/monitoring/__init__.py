"""What is passed around of monitoring: a `history` of readings, and the `timeline` that is made of it."""
