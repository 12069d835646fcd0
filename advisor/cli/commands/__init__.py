"""One module per command; each has `add(app)`."""
