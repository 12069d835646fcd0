"""How is a running cluster read into evidence, and into a bundle that gives the same findings elsewhere?

In order: `dsn`, `login`, `login_paths`, `targets` which servers, as whom · `member/` what one of them is asked ·
`gather` all of them at once · `bundle/` pseudonyms, files, and the same files read back as evidence.
"""
