"""Which server programs are there, and how do more get here?"""
