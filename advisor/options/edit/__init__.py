"""Which bytes of which option files must change, and how are they written safely?

`affected_settings` which settings a change affects · `line_parts`, `respelling`, `list_value` how their lines change ·
`file_sections`, `new_setting` where one is added, and how it is written · `edited_file` the new text · `proof` that it
gives what is wanted and nothing else · `edits` all of that in turn · `write` put in place, with a backup."""
