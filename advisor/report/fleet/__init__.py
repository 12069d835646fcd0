"""How is a report on a fleet shown? `text` in the terminal, `document` as JSON, `html` as a page; `words` for all."""
