"""What does a tuning run amount to?

`recommendation` from what was measured alone · `importance` which knobs matter · `progress` how a study is doing
meanwhile.
"""
