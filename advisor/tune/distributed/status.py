"""How does a shared study stand? Which clones take part, what each is at, and how many trials it has."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import closing

from advisor.errors import ServerError
from advisor.tune.distributed.heartbeat import Activity, Participant, participants
from advisor.tune.request.request import Request
from advisor.tune.state.database import open_storage, storage_errors, storage_time


def participants_as_lines(request: Request) -> list[str]:
    """In lines; a storage that does not answer, or has the study no more, is said."""
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
    said = [f"study {request.study} in {request.storage}, {sum(ended.values())} trials"]
    return said + [f"  {one.name}: {_doing(one, at)}, {ended[one.clone]} trials" for one in clones]


def _doing(one: Participant, at: float) -> str:
    if one.alive or one.doing in (Activity.PROVED, Activity.LEFT):
        return {Activity.PROVED: "has proved the answer", Activity.LEFT: "has left"}.get(one.doing, str(one.doing))
    since = time.strftime("%H:%M:%S", time.localtime(time.time() - (at - one.heard)))
    return f"nothing heard since {since}"
