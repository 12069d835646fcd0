"""Which settings does a server get from elsewhere than its option files?

`command_line` options of one command, `chosen_files` the option files that it names · `printed_arguments` what
--print-defaults shows · `process_list` what ps shows · `systemd_unit` units with their drop-ins · `set_statements` SET
GLOBAL and SET PERSIST, `persisted` what the latter wrote."""
