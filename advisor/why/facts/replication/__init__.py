"""How do members apply other members' transactions, and which one slows the others down?"""
