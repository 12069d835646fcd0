"""How does what was read become a bundle?

`redact`, `pseudonyms`, `innodb_text` nothing private in it · `bundle_format`, `pack` its files · `save` whole or not at
all · `read_back` as evidence.
"""
