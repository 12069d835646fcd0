"""How is a watched second shown? As a screen, as a line, and as a line of JSON."""
