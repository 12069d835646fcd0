"""What happens to the cluster in one trial?

`survey` what is there before · `run_trial` one trial from its settings to its outcome · `data_commands` the user's own
commands around it · `apply_configuration`, `read_settings`, `validate_config`, `restart` how servers get values ·
`guards` what ends it at once · `run_figures` what was measured, `redo` what recovery would have to apply · `restore`
puts everything back from the journal.
"""
