"""How fast is a cluster, and at which rate does every member keep up?

In the order of a run: `open_cluster` a connection to every member · `load/` workloads, data and sysbench · `run` warm
up, measure, drain · `measure/` what is sampled, and what it amounts to · `statistics/` how precise a figure is ·
`search/` the highest sustained rate · `catch_up` how fast replicas work off a backlog · `compare_settings` A/B in turns
· `experiment/` clusters that differ in one thing · `run_log`, `bundle_recording` what is kept.
"""
