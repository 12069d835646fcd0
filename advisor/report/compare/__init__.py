"""How is a comparison shown: at the terminal, as Markdown, as HTML, as JSON?

`wording` the sentences that all of them share · `text` · `markdown` · `html` · `document` the JSON report.
"""
