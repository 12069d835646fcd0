"""What does a tuning run amount to?

`recommendation` from what was measured alone · `importance` which knobs matter · `range_edges` knobs at an end of their
range · `progress` how a study is doing meanwhile.
"""
