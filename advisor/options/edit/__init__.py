"""Which bytes of which option files must change, and how are they written safely?

`target` what a change means · `line`, `name`, `list_value`, `place` where it goes · `draft` the new text · `proof`
that it gives what is wanted and nothing else · `edits` all of that in turn · `write` put in place, with a backup."""
