"""How is a member held to a share of CPU and disk?"""
