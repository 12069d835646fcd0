"""How are settings changed that do not stand in option files, with everything around them as it was?

`option_view` the options of a place as the text of an option file, which the editor of option files changes ·
`write_back` the changed options in the place again, proved by reading them · `cloud_commands` what a cloud is told."""
