"""What do the servers tell of the users' traffic?

`reader` what is read twice a second, `commit_times` how long commits take, `figures` what readings come to, `headroom`
how far below the lowest ceiling, `diagnosis` what `why` says of it.
"""
