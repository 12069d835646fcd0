"""How do members apply other members' transactions, which one slows the others down, and what do commits wait for?

`applier_throughput`, `more_workers`, `backlog`, `replica_status` appliers · `galera_nodes`, `group_consensus`,
`semisync_waits` commits that need other members · `reported_figures`, `told_mechanisms` what a report says."""
