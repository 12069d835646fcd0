"""What do users report about the machine, the load and the changes they tried?

`circumstances` of one member, `member_differences` between members · `tried_changes` what was tried, `told_trials` in
sentences, `change_effects` how many times as fast it became · `client_scaling` with the number of clients ·
`printed_tables` and `printed_messages` what stands in pasted output."""
