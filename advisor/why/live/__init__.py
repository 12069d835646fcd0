"""What does a change give on the running cluster?

`changes_to_try` which · `change` sets it, measures, restores · `pace` how fast meanwhile · `restore_on_kill` for when
we die."""
