"""Are copies of loads like the originals? `__main__` runs both by turns; `three_applications.yaml` is a mixed load."""
