"""How do real clusters run on one machine? Found or fetched, started, joined, stopped without a trace.

In the life of a lab: `servers/` server programs · `datadir_templates`, `bootstrapped_datadir` data directories ·
`settings`, `option_blocks` option files · `network/`, `limits/` distance and scarcity · `launch_members`, `processes`,
`error_log` · `up` all of that in turn · `down` its end · `state`, `folders` what a lab remembers · `status`, `shell`,
`members` while it runs · `fault_injection/`, `faults/` what may go wrong.
"""
