"""What is the load?

`tally` one pass over a log · `over_time` rates · `spread` sizes · `tables` what is changed where, and hot rows ·
`commit_groups` what committed together.
"""
