"""What is drawn, and how does a chart get into the page?

`members_over_time` the samples of a cluster as curves · `figure` a chart in the page · `bars` · `stacked`
parts of a whole.
"""
