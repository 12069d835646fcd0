"""A tuning run that kills itself: python -m tests.servers.killed_session CLUSTER STATE FILE.

It goes on with the last study of a cluster, or begins one. When a trial other than a baseline enters a state, it
is killed as by `kill -9`; without a state ("") it goes on to its end. What the members had when the first trial
was planned is written to a file.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from advisor.cluster_file import read_cluster
from advisor.model.tuning import Task, TrialKind
from advisor.topologies import open_nodes
from advisor.tune import session
from advisor.tune.request.request import Request
from advisor.tune.state import study_folder
from advisor.tune.trial.run_trial import State, TrialListener


def variables(path: str) -> dict[str, dict[str, str]]:
    """Everything SHOW GLOBAL VARIABLES says of every member, but for what writing changes."""
    with open_nodes(read_cluster(path)) as nodes:
        told = {node.name: node.session.pairs("SHOW GLOBAL VARIABLES") for node in nodes}
    moving = ("gtid_", "timestamp", "statement_id", "ssl_", "tls_", "innodb_buffer_pool_load", "rand_seed")
    return {
        member: {name: value for name, value in found.items() if not name.startswith(moving)}
        for member, found in told.items()
    }


def request(path: str, **other: object) -> Request:
    """Very short trials, and hardly any load."""
    asked: dict[str, object] = {
        "cluster": path, "workload": "update_index", "threads": 2, "rate_per_second": 20.0, "writers": ("m1",),
        "tables": 1, "rows_per_table": 200, "seconds": 2.0, "warm_up_least": 1.0, "warm_up_most": 1.0,
        "lag_bound_ms": 60_000.0, "trials": 4, "blocks": 0, "host": ("memory=4G", "disk=8G"),
    }  # fmt: skip
    return Request(**{**asked, **other})  # type: ignore[arg-type]


def main(path: str, state: str, file: str) -> None:
    """See above."""
    seen: list[Task] = []

    def heard(now: State, task: Task) -> None:
        if now is State.PLANNED:
            seen.append(task)
            if len(seen) == 1:
                Path(file).write_text(json.dumps(variables(path)), encoding="utf-8")
        if str(now) == state and task.kind is not TrialKind.BASELINE:
            os.kill(os.getpid(), signal.SIGKILL)

    cluster = read_cluster(path)
    listener = session.SessionListener(TrialListener(state=heard, tell=print))
    try:
        study_folder.last_study(study_folder.folder_of(cluster))
    except Exception:
        session.begin(request(path), listener)
    else:
        session.resume(cluster, listener)


if __name__ == "__main__":
    main(*sys.argv[1:])
