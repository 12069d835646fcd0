"""What was asked of a tuning run, and how much time is there?

`request` every option, kept with the study · `time_budget` how much is for the search · `maintenance_window` when it
may run. """
