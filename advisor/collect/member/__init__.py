"""What does one member say over an interval?

`queries` what is asked · `reader` asks it · `recording` what was read · `cells`, `process_list` typed · `machine`,
`machine_load`, `probes` the system below it · `missing_privileges` what could not be read, and which GRANT helps.
"""
