"""How is a load shown, and what workers could apply of it?

`wording` times, places and sentences · `regular_intervals` what is shown over time · `show_text`, `show_html`,
`show_document` the load.
"""
