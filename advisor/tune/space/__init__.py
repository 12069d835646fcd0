"""What may be tuned, and how far?

`schema` what a file may say · `resolve` the knobs of this release and host · `host` · `lint` your own spaces ·
`constraints` what is never tried · `encoding` knobs as coordinates · `placement` which member gets which value ·
`written_values` what a person would write instead of what a search found.
"""
