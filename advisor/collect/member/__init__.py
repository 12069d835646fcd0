"""What is read of one member over an interval?

`queries` what is sent · `reader` sends it · `recording` what was read · `cells`, `process_list` its values · `machine`,
`machine_load`, `probes` the system below it · `missing_privileges` what could not be read, and which GRANT helps.
"""
