"""Which formats are read?

`detect_format` which one is it · `any_text` hands it on · `tables`, `table_kinds`, `dumps`, `json_dump`, `help_dump`,
`option_text` one server · `places` where settings are if not in option files: `beyond_files/` on the server,
`deployment/` in what deploys it · `servers_beside` the others there · `bundle`, `pt_stalk`, `pt_summary`, `host`,
`observations` collections and what stands in them."""
