"""Do foretold catch-up rates hold? Real replicas apply backlogs with 1 to 16 workers, each foretold from its log.

    python -m benchmarks.applier_forecast measure --runs FOLDER [--part open] [--for 1600] [--most-others 0.2]
    python -m benchmarks.applier_forecast judge --runs FOLDER [--part open] [--most-others 0.2]

`plan` which runs there are, in which order · `counters` who used the CPUs · `backlog` one backlog, made and applied ·
`runs` the records · `judge` what was foretold of them.

For each run: the appliers of a replica stop, a load runs on the source, the appliers start, and the rate is that
between the first and the last reading with progress. Each run is one line of FOLDER/runs.jsonl, the binary log of one
with several workers lies beside it; `measure` goes on where it was stopped. Before and behind each run with several
workers there is one with one worker: its rate and its CPU time per transaction are what the forecast gets, besides the
log, the number of CPUs, and the time of a sync (from the last run of each block, which does not sync). A run during
which other programs used more CPUs than `--most-others` is kept, shown as busy and not judged.

Five loads, parted on 2026-11-23 before the model was worked on: `update_index` and `write_only` are open, the model may
be fitted to them. `update_non_index`, `insert` (100 rows a transaction) and `conflict` (ten hot rows) are locked: their
forecasts are looked at once, when the model is fixed, and they are the score.
"""
