"""What is the highest rate that every member sustains?

`threshold_search` the search as pure logic · `sustained_search` on a real cluster.
"""
