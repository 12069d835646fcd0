"""What is read of one member over an interval?

`queries` what is sent · `reader` sends it, with `instruments` on if asked · `sessions` (`thread_kinds`,
`kernel_threads`), `lock_waits` what threads do · `recording` what was read · `cells`, `process_list` its values ·
`machine`, `machine_load`, `probes` the system below it · `missing_privileges` what could not be read, and which GRANT
helps.
"""
