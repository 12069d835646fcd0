"""Which configuration is worth the next trial?

`initial_configurations`, `prior_runs` where it starts · `loop` asks, runs, keeps · `policy` which kind of trial is
next · `scored_trials`, `drift`, `scoring` what the trials say · `features`, `surrogate`, `acquisition`, `samplers` what
to propose · `ranking` the best so far · `gain_thresholds` which gain counts · `early_stopping` · `optuna_ledger` where
trials are kept.
"""
