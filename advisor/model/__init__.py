"""What is passed around? Frozen records and enums for every other layer; no behaviour beyond their own fields.

`record` how they are made · `server` a release, a role · `catalog`, `options` variables, what files say · `evidence`
members and their values · `rules` rules and findings · `diagnosis` · `lab`, `discovery`, `applying`, `progress` running
clusters · `measurement`, `experiment` · `tuning`, `recommendation` · `comparison/` of servers · `move/` to another
release · `monitoring/` · `fleet/` many servers · `workload/` binary logs.
"""
