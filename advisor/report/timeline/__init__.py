"""The report of `advisor timeline` as text, HTML and JSON; `wording` has what they share."""
