"""How certain is a figure?"""
