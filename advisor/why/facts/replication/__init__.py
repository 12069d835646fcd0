"""How do members apply what others committed, and who holds whom up?"""
