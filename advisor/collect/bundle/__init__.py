"""How do recordings become a bundle?

`redacted_recordings`, `pseudonyms`, `innodb_text` remove private names · `bundle_format`, `bundle_files` its files ·
`stated_roles` what they state of the cluster · `save` writes them · `read_back` reads them as evidence.
"""
