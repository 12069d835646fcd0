"""What changed in a cluster, when, and what changed then? `build.timeline(history)` answers.

`signals` loads what is looked at (`rules/monitoring/signals/`, `commands/`), `curves` makes it of a history,
`change_points` finds where a curve moves to another level, `shifts` says so of each signal, `events/` finds what
happened to members, `episodes` groups both, `sentences` puts them into words.
"""
