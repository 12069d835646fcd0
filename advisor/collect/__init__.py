"""How is a running cluster read into evidence, and into a bundle that says the same elsewhere?

`gather` reads all members over an interval, `pack` makes the files of a bundle of it, `read_back` reads those as any
bundle is read, `save` writes them.
"""
