"""How do recordings become a bundle?

`redact`, `pseudonyms`, `innodb_text` remove private names · `bundle_format`, `pack` its files · `save` writes them ·
`read_back` reads them as evidence.
"""
