"""What is drawn, and how does a chart get into the page?

`chart` curves as data · `members_over_time` a cluster as charts · `figure` a chart in the page · `bars`, `scatter`.
"""
