"""How is a cluster put under load?

`workloads`, `mix`, `placeholders`, `mix_lua` which transactions · `dataset`, `column_values` on which data ·
`sysbench`, `generator` by which processes · `latency` how long transactions took.
"""
