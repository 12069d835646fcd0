"""What does a tuning run amount to?

`recommendation` from what was measured alone · `importance` which knobs matter · `other_limits` what another lag limit
would allow · `best_so_far` meanwhile: the best against the baseline.
"""
