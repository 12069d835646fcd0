"""Which servers are there?

`read` recognises the form: `own_file`, `ansible`, `prometheus`, `kubernetes`; `entries` what all give.
"""
