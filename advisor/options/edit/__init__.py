"""Which bytes of which option files must change, and how are they written safely?

`affected_settings` which settings a change means · `line_parts`, `respelling`, `list_value` how their lines change ·
`new_setting` where one is added · `edited_file` the new text · `proof` that it gives what is wanted and nothing else ·
`edits` all of that in turn · `write` put in place, with a backup."""
