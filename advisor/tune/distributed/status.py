"""How is a shared study doing? Which clones take part, what each is doing, and how many trials it has run."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import closing
from typing import Final

from advisor.errors import ServerError
from advisor.tune.distributed.heartbeat import Activity, Participant, participants
from advisor.tune.request.request import Request
from advisor.tune.state.database import open_storage, storage_errors, storage_time
from advisor.units import show

_IN_WORDS: Final = {
    Activity.PROVING: "validating",
    Activity.PROVED: "has validated the winner",
    Activity.LEFT: "has left",
}


def participants_as_lines(request: Request) -> list[str]:
    """A line for the study and one for each clone, or one that says why the storage cannot tell."""
    try:
        with (
            closing(open_storage(request.storage, request.password_file, make=False)) as storage,
            storage_errors(request.storage),
        ):
            import optuna

            study = optuna.load_study(
                study_name=request.study, storage=storage.backend, sampler=optuna.samplers.RandomSampler()
            )
            at = storage_time(storage)
            ended = Counter(
                trial.user_attrs.get("clone", "")
                for trial in study.get_trials(deepcopy=False)
                if "outcome" in trial.user_attrs
            )
            clones = participants(study, at)
    except KeyError:
        return [f"study {request.study} is no longer in {request.storage}"]
    except ServerError as error:
        return [error.message]
    lines = [f"study {request.study} in {request.storage}, {show(sum(ended.values()), 'trials')}"]
    return lines + [f"  {clone.name}: {_activity(clone, at)}, {show(ended[clone.clone], 'trials')}" for clone in clones]


def _activity(participant: Participant, at: float) -> str:
    if participant.alive or participant.activity in (Activity.PROVED, Activity.LEFT):
        return _IN_WORDS.get(participant.activity, str(participant.activity))
    since = time.strftime("%H:%M:%S", time.localtime(time.time() - (at - participant.last_seconds)))
    return f"no heartbeat since {since}"
