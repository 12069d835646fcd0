"""How are bench runs and experiments shown?"""
