"""How is a diagnosis shown?"""
