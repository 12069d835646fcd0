"""Facts about option files and whether a server starts with them."""
