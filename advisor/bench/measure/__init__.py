"""What was measured?

`sampler` a sample every second · `host` how busy this machine was · `steady` whether a steady state was reached ·
`sustained` whether all members kept up · `summary` the result · `warnings` what makes it less reliable ·
`load_comparison` how much the load resembles the one it was made from.
"""
