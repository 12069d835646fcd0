"""What is wrong on many servers at once?

`inventory/` which servers there are · `tasks` what is judged together · `processes` many tasks on all CPUs ·
`live_servers` running servers, read side by side · `summary` judgements become a report by cluster and by rule ·
`since` what changed since an earlier report.
"""
