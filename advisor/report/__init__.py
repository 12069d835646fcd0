"""How is a judgement shown? Pure functions from model objects to text; one module per form, found by its name."""
