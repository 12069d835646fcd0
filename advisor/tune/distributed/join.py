"""How does a participant with its own clone work on a shared study?

Each has its own cluster, journal, lock and guards; they share the study in a storage, and nothing else. The one that
begins it stores its request and a description of its cluster there; one that joins takes the request and must match
the description.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from advisor.bench.open_cluster import default_writers, open_cluster
from advisor.errors import UsageError
from advisor.model.lab import ClusterFile
from advisor.model.record import record, replace
from advisor.model.tuning import Ledger, Settings, Trial
from advisor.tune.distributed.compatibility import (
    description_of,
    refuse_different_cluster,
    refuse_different_host,
    with_host_of_study,
)
from advisor.tune.distributed.heartbeat import BEAT_KEY, BEAT_SECONDS, Activity, Heartbeat
from advisor.tune.distributed.isolation import refuse_members, refuse_replicas
from advisor.tune.distributed.shared_ledger import SharedLedger
from advisor.tune.distributed.turn_lock import hold_turn
from advisor.tune.request.request import Request, as_data, from_data
from advisor.tune.search.optuna_ledger import open_ledger
from advisor.tune.search.scored_trials import Candidate
from advisor.tune.space.member_values import running_settings
from advisor.tune.state import study_folder
from advisor.tune.state.database import Storage, connect, open_storage, storage_errors
from advisor.tune.trial.run_trial import TuningTarget
from advisor.tune.trial.survey import survey

# About this participant and its machine only; the rest of a request is the study's.
# A command is never taken from a storage: whoever writes there could run anything on this machine.
_COMMANDS: Final = ("prepare_command", "restore_command", "command_seconds")
_OWN: Final = ("cluster", "experience", "password_file", "storage", "joins", "preflight", *_COMMANDS)
_HINT: Final = "`advisor tune --storage …` begins a study and prints its name"


@record
class Participation:
    """A participant's part in a study.

    `claim_validation` says whether this one validates the finalists, and which clone does otherwise; `note_validated`
    that it has.
    """

    ledger: Ledger
    claim_validation: Callable[[Callable[[], bool]], tuple[bool, str]] = lambda stop: (True, "")
    note_validated: Callable[[], None] = lambda: None


def request_to_join(
    storage: str, study: str, password_file: str, cluster: ClusterFile, writers: Sequence[str], folders: Sequence[str]
) -> Request:
    """The request of the study, for this cluster; UsageError when there is none or the cluster does not fit."""
    with closing(open_storage(storage, password_file, make=False)) as place:
        asked = from_data(_stored(place, study, "request"), f"{place.url} {study}")
        like = _stored(place, study, "alike")
    return replace(
        asked,
        cluster=str(Path(cluster.path).resolve()),
        writers=tuple(writers) or _writers(asked.writers, cluster),
        folders=tuple(folders) or asked.folders,
        host=with_host_of_study(asked, like).host,
        storage=place.url,
        study=study,
        password_file=password_file,
        joins=True,
        preflight=False,
        experience="",
    )


def _writers(asked: Sequence[str], cluster: ClusterFile) -> tuple[str, ...]:
    names = tuple(member.name for member in cluster.members)
    writers = tuple(asked) if set(asked) <= set(names) else names if len(asked) > 1 else default_writers(cluster)
    if len(writers) != len(asked):
        names_asked = ", ".join(asked)
        raise UsageError(
            f"the study writes to {len(asked)} members ({names_asked}); this cluster has no members with these names",
            hint=f"name {len(asked)} members of this cluster with --writers",
        )
    return writers


def _stored(storage: Storage, study: str, attribute: str) -> Mapping[str, Any]:
    """What the clone that began the study stored there; UsageError where there is nothing."""
    import optuna

    try:
        with storage_errors(storage.url):
            loaded = optuna.load_study(
                study_name=study, storage=storage.backend, sampler=optuna.samplers.RandomSampler()
            )
            stored = loaded.user_attrs.get(attribute)
    except KeyError:
        raise UsageError(f"{storage.url} has no study {study!r}", hint=_HINT) from None
    if not isinstance(stored, dict):
        raise UsageError(f"study {study!r} was not created with --storage and cannot be joined", hint=_HINT)
    return stored


def with_study_name(request: Request, cluster: ClusterFile) -> Request:
    """A request whose study has a name, so that others can join it."""
    if not request.storage or request.study:
        return request
    return replace(request, study=f"{cluster.name}-{time.strftime('%Y%m%d-%H%M%S')}")


def check_admission(target: TuningTarget, request: Request, tell: Callable[[str], None]) -> None:
    """UsageError when this cluster may not take part; nothing is changed yet."""
    if not request.storage:
        return
    with closing(connect(request.storage, request.password_file)) as reached, open_cluster(target.cluster) as opened:
        refuse_members(reached, opened.nodes)
        with closing(open_storage(request.storage, request.password_file)) as storage:
            if not request.joins:
                _refuse_taken(storage, request.study)
                return
            studied = _stored(storage, request.study, "alike")
            stated = from_data(_stored(storage, request.study, "request"), storage.url).host
        refuse_replicas(reached, opened.nodes, str(studied["token"]))
    running = running_settings(target.space, target.cluster.members, target.originals.values)
    own = survey(target.cluster, replace(request, host=stated), lambda line: None)
    refuse_other_commands(request, studied)
    refuse_different_host(own, studied)
    refuse_different_cluster(target, running, studied)
    tell(f"this cluster matches the one that {request.study} began on")


def _commands_of(request: Request) -> list[str]:
    """Which of the user's own commands run around a trial."""
    return [name for name in _COMMANDS[:2] if getattr(request, name)]


def refuse_other_commands(request: Request, studied: Mapping[str, Any]) -> None:
    """UsageError when the data is not brought back, or made ready, on one of the clones only."""
    asked, own = studied.get("commands", []), _commands_of(request)
    for name in sorted({*asked} ^ {*own}):
        option = "--" + name.removesuffix("_command")
        which = "runs" if name in asked else "does not run"
        raise UsageError(f"the study {which} {option} around its trials", hint=f"this clone must do the same: {option}")


def _refuse_taken(storage: Storage, study: str) -> None:
    import optuna

    with storage_errors(storage.url):
        names = optuna.get_all_study_names(storage.backend)
    if study in names:
        hint = f"join it: advisor tune join {study} --storage '{storage.url}' …; or choose another --study"
        raise UsageError(f"{storage.url} already has a study {study!r}", hint=hint)


@contextmanager
def participation(
    target: TuningTarget, request: Request, study: Path, running: Settings, tell: Callable[[str], None]
) -> Iterator[Participation]:
    """This participant's part in a study, which is in a file next to its request, or shared in a storage."""
    if not request.storage:
        file = f"sqlite:///{study / 'study.db'}"
        yield Participation(open_ledger(file, study.name, target.space, running, request.lag_bound_ms))
        return
    storage = open_storage(request.storage, request.password_file)
    clone, name = study_folder.clone_of(study.parent, target.cluster.name), target.cluster.name
    with storage_errors(storage.url), hold_turn(storage, request.study):
        inner = open_ledger(storage, request.study, target.space, running, request.lag_bound_ms, clone)
        attributes = inner.study.user_attrs
        if "alike" not in attributes:
            inner.study.set_user_attr("request", shared_request(request))
            inner.study.set_user_attr(BEAT_KEY, BEAT_SECONDS)
            inner.study.set_user_attr("token", secrets.token_hex(8))
            like = {**description_of(target, running), "token": inner.study.user_attrs["token"]}
            like["commands"] = _commands_of(request)
            inner.study.set_user_attr("alike", like)
        heartbeat = Heartbeat(storage, inner.study, clone, name)
        heartbeat.begin()
    ledger = SharedLedger(inner, storage, heartbeat, tell)
    tell(f"study {request.study}; to add a clone: {join_command(request, storage)}")
    last_activity = [Activity.LEFT]
    try:
        yield Participation(ledger, ledger.claim_validation, lambda: last_activity.__setitem__(0, Activity.PROVED))
    finally:
        ledger.leave(last_activity[0])
        storage.close()


def shared_request(request: Request) -> dict[str, Any]:
    """What a clone that joins takes over, in plain types."""
    return {name: value for name, value in as_data(request).items() if name not in _OWN} | {"cluster": ""}


def join_command(request: Request, storage: Storage) -> str:
    """The command that adds a clone."""
    return f"advisor tune join {request.study} --storage '{storage.url}' --cluster FILE"


def single_clone_note(best: Candidate | None, trials: Sequence[Trial]) -> tuple[str, ...]:
    """A note when the best of a search by several clones was measured on one only."""
    clones = {trial.clone for trial in trials}
    if best is None or len(clones) < 2 or len(best.clones) > 1:
        return ()
    measured = f"the best configuration of the search was measured on {best.clones[0]} only"
    return (f"{len(clones)} clones took part, but {measured}",)
