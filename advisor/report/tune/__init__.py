"""How is a tuning run shown?"""
