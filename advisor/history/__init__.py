"""What did the monitoring keep? Prometheus and what answers like it, as series of each member, and as evidence.

`metric_names` says what a metric holds (`rules/monitoring/names/`), `prometheus` reads them through `http_api`,
`assemble` puts them together by member, `rates` makes rates of counters, `evidence` makes a `Cluster` of a history.
"""
