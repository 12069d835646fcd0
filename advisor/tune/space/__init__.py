"""What may be tuned, and how far?

`space_file` what a file may say · `resolve` the knobs of this release and host · `host` · `lint` your own spaces ·
`constraints` what is never tried · `encoding` knobs as coordinates · `member_values` which member gets which value ·
`round_values` what a person would write instead of what a search found.
"""
