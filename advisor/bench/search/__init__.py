"""What is the highest rate that every member sustains?

`threshold_search` is the search as pure logic · `sustained_search` runs it on a real cluster.
"""
