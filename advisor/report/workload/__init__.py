"""How is a load shown, and what workers could apply of it?

`wording`, `appliers_wording` words for both · `regular_intervals` what is shown over time · `show_text`, `show_html`,
`show_document` the load · `appliers_text`, `appliers_document` the workers · `make_text` a load that was made.
"""
