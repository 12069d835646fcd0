"""What does a change of settings give on the running cluster?

`planned_changes` says which changes to try · `change` applies one, measures and restores the old settings ·
`throughput` measures the rates meanwhile · `restore_on_kill` restores the settings if we are killed.
"""
