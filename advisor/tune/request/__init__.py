"""What was asked of a tuning run, and how much time is there?

`request` every option, kept with the study · `lag_limit` how strictly lag is judged, everywhere · `time_budget` when it
is used up, and how much is for the search · `maintenance_window` when it may run.
"""
