"""How do several clones of a cluster work on one study?

`join` a participant takes part · `compatibility` is its clone like the first? · `isolation` is the database apart from
the clusters? · `turn_lock` one decides at a time · `heartbeat` who is alive · `coordination` what a clone tries next ·
`shared_ledger` trials of all · `status` how the study is doing.
"""
