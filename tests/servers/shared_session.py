"""One part in a shared study: python -m tests.servers.shared_session CLUSTER STORAGE SECRET STUDY WHAT.

WHAT is "begin", "join", or a state: it joins and dies in that state as by `kill -9`, in the
first trial that is not of the running configuration. Hearts beat every second.
"""

from __future__ import annotations

import os
import signal
import sys
import time

from advisor.cluster_file import read_cluster
from advisor.errors import UsageError
from advisor.model.tuning import Task, TrialKind
from advisor.tune import session
from advisor.tune.distributed import join
from advisor.tune.request.request import Request
from advisor.tune.trial.run_trial import State, TrialListener
from tests.servers.killed_session import request

_BEGINS_WITHIN_SECONDS = 60.0


def to_join(path: str, storage: str, secret: str, study: str) -> Request:
    """What the study asks for, as soon as there is such a study."""
    until = time.monotonic() + _BEGINS_WITHIN_SECONDS
    while True:
        try:
            return join.request_to_join(storage, study, secret, read_cluster(path), (), ())
        except UsageError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


def main(path: str, storage: str, secret: str, study: str, what: str) -> None:
    """See above."""
    join.BEAT_SECONDS = 1.0  # type: ignore[misc]

    def heard(now: State, task: Task) -> None:
        if str(now) == what and task.kind is not TrialKind.BASELINE:
            os.kill(os.getpid(), signal.SIGKILL)

    if what == "begin":
        asked = request(path, storage=storage, password_file=secret, study=study, trials=6, blocks=1, preflight=False)
    else:
        asked = to_join(path, storage, secret, study)
    session.begin(asked, session.SessionListener(TrialListener(state=heard, tell=print)))


if __name__ == "__main__":
    main(*sys.argv[1:])
