"""What do changes that were verified on this machine teach the next prediction?

`pair` says what is kept of a verified change · `lines` how pairs are written and read · `correction` what follows from
them. All of it is pure: the file itself is read and written in advisor/cli/why/verified_file.py.
"""
