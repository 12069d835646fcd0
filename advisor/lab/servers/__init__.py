"""Which server programs are there, and how are more installed?"""
