"""How is a result shown? Pure functions from model objects to text: a folder for each command.

`words/` values, units and labels · `html/` the page · `charts/` curves and bars · then `check/`, `compare/`,
`fleet/`, `move/`, `rules/`, `why/`, `timeline/`, `bench/`, `tune/`, `watch/`, `workload/`: none of these imports
another.
"""
