"""Does `advisor timeline` name what happened, and when? Incidents played on a lab under a real Prometheus, and scored.

`plays` has the incidents, `paced_load` the users, `record` keeps what Prometheus saw, `score` compares the timeline of
a recording with what was done. `python -m benchmarks.incidents --keep FOLDER` plays, `--offline` scores what is kept.
"""
