"""Which formats are read?

`detect_format` which one is it · `any_text` hands it on · `tables`, `table_kinds`, `dumps`, `json_dump`, `help_dump`,
`option_text`, `persisted` one server · `deployment/` files that describe servers · `bundle`, `pt_stalk`,
`pt_summary`, `host`, `observations` collections and what stands in them."""
