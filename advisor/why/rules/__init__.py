"""Which causes and ceilings are there, and do their files hold what they should?"""
