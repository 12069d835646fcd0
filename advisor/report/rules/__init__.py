"""How are rules shown: the list, one rule at the terminal, its page in the documentation?"""
