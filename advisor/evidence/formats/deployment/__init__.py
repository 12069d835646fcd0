"""Which settings do files hold that describe how servers are deployed?

`places` which of these it is, and which servers it holds · `compose` services of Docker Compose, `image` what their
images are, `command_line` the options of their commands · `kubernetes` option files inside YAML · `terraform`
parameter groups of RDS, `describe_db_parameters` the same as RDS prints them, `parameter_group` what is special about
those."""
