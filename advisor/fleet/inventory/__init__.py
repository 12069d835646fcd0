"""Which servers are there? `read` recognises the form: `own_file`, `ansible`, `prometheus`; `entries` what all give."""
