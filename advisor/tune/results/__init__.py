"""What does a tuning run amount to?

`recommendation` from what was measured alone · `importance` which knobs matter · `measured` every configuration
over its runs: `other_limits` what another lag limit would allow, `fronts` what more costs in CPU and recovery time ·
`search_progress` meanwhile: the best so far against the baseline.
"""
