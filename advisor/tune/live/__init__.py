"""Which dynamic settings help under the users' own traffic? Without load of ours, without a restart.

`request` what is asked for, `session` every step from the first look to the answer · `traffic/` what the servers tell,
`watch` what the traffic looks like without a change · `candidates` which changes are tried, `candidate_plan` how many
of them, `small_steps` the way to each · `limits` when the former values are restored at once, `limit_bounds` those not
stated, `live_settings` how values are set and restored, `dead_man` which process does it if we are killed · `run_turns`
how the turns of former and changed values are run, `statistics/` what they show · `outcome` what the user gets.
"""
