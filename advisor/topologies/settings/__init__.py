"""How do new values reach a running cluster, and what must be stopped meanwhile?

`application` what a changed setting takes · `apply` on every member, read back · `applier_threads` stopped and started.
"""
