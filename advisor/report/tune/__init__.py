"""How is a tuning run shown?

In words: `aims` what is improved, `sentences`, `tables`, `option_file_diff` · drawn: `charts` · the forms: `text`,
`markdown`, `html`, and `document` for programs.
"""
