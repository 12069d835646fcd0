"""How precise is a figure?"""
