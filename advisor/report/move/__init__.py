"""The report of `advisor move`: text, Markdown and JSON."""
