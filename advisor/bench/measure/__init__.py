"""What was measured?

`sampler`, `ticking` every second · `host` how busy this machine was · `steady` when it settled · `sustained` did all
members keep up · `summary` the result · `warnings` what limits its worth. """
