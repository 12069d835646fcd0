"""Finds settings with a higher sustained rate, proves them, and leaves the cluster as it was found.

A night: `night` begins, resumes, rolls back and applies · `ground` what may be turned here · `course` its parts in
turn: `preflight`, `study` the search, `shortening`, `validating` the proof, `soaking` · `answering` what it comes to.
A trial: `trial` on a cluster · `changing` and `restarting` how servers get values · `precheck`, `guards` · `journal`
what was touched, `restoring` puts it back.
The search: `spaces` knobs as data · `encoding` knobs ↔ coordinates · `legality` what would not start · `deciding` what
is next · `surrogate`, `features`, `proposing` · `ranking` what is best · `drift`, `noise`, `validation` how sure it is.
Several clusters: `joining` a part in a study · `storage`, `turns`, `presence` · `together` what a clone tries.
`ledger` keeps trials, `nights` the folders of a cluster.
"""
