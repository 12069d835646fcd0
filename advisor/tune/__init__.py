"""Which settings give a higher sustained rate? Finds them on a real cluster, validates them, restores the cluster.

The rooms in reading order: `session` begins, resumes, rolls back and applies a tuning run · `phases` its parts in
turn · `request/` what was asked, and how much time there is · `state/` what survives on disk: journal, lock, study
folder · `space/` what may be tuned, and how far · `trial/` what happens to the cluster in one trial, and how it is
restored · `search/` which configuration is worth the next trial · `validation/` whether it is really better ·
`results/` what the run amounts to · `distributed/` several clones of a cluster on one study · `live/` tuning under the
users' own traffic instead. docs/architecture.md follows one trial through them.
"""
