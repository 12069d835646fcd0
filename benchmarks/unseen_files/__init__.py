"""How often are the findings of `advisor check` right on public files that nobody had shown it, and what does it miss?

`files.tsv` names the files, `findings.tsv` and `notes.tsv` hold what was judged; README.md says how to judge again.
"""
