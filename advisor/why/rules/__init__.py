"""Which causes and ceilings are there, and are they written well?"""
