"""Which causes do the signs speak for? Judges every cause on the members it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.check.message import fill
from advisor.conditions import Missing, bind, decide, names, satisfies
from advisor.errors import RuleError
from advisor.evidence.view import View
from advisor.model.diagnosis import Cause, Ceiling, Ground, Sign
from advisor.model.evidence import Fact
from advisor.model.record import record
from advisor.why.confidence import Kind, Weight, confidence
from advisor.why.members import Scene


@record
class Judged:
    """A cause on one member of one world: how sure, why, and what evidence is missing."""

    cause: Cause
    view: View
    confidence: float
    grounds: tuple[Ground, ...]
    limited: str
    missing: tuple[str, ...]


def judge(scene: Scene, causes: Sequence[Cause]) -> list[Judged]:
    """Every cause that some sign speaks for, on the member it is surest of."""
    found = []
    for cause in causes:
        judged = [_judge(cause, view) for view in scene.actors(cause.where) if concerns(cause, view)]
        spoken = [one for one in judged if one.confidence > 0]
        if spoken:
            found.append(max(spoken, key=_certainty))
    return found


def unanswered(scene: Scene, causes: Sequence[Cause]) -> Iterator[Judged]:
    """Every cause no sign speaks for, because evidence is missing."""
    for cause in causes:
        judged = [_judge(cause, view) for view in scene.actors(cause.where) if concerns(cause, view)]
        if judged and not any(one.confidence > 0 for one in judged):
            yield from (one for one in judged[:1] if one.missing)


def concerns(claim: Cause | Ceiling, view: View) -> bool:
    """Whether a claim is about this release, topology and role. What is not known excludes nothing."""
    wanted = claim.applies
    if "mysql" in wanted or "mariadb" in wanted:
        constraint = wanted.get(str(view.release.family))
        if constraint is None or not satisfies(view.release.version, str(constraint)):
            return False
    if "vendors" in wanted and view.release.vendor not in wanted["vendors"]:
        return False
    for key, name in (("topologies", "topology"), ("roles", "role")):
        word = view.value(name)
        if key in wanted and not isinstance(word, Missing) and word not in wanted[key]:
            return False
    return "topologies" not in wanted or view.topology is not None or _may_be(wanted["topologies"], view)


def _may_be(topologies: Sequence[str], view: View) -> bool:
    """Whether a server whose topology nobody stated may be in one of these; settings show a group or a cluster."""
    shown = {"group_replication": "fact.is_group_member", "galera": "fact.is_galera_node"}
    return any(topology not in shown or view.value(shown[topology]) is True for topology in topologies)


def _certainty(judged: Judged) -> tuple[float, float]:
    """The surest; among equals the member that applies least."""
    applied = judged.view.get("fact.applied_per_second", 0)
    return judged.confidence, -float(applied) if isinstance(applied, int | float) else 0.0


def _judge(cause: Cause, view: View) -> Judged:
    missing: dict[str, None] = {}
    seen = [sign for sign in cause.signs if _holds(sign, view, missing, cause)]
    against = [sign for sign in cause.against if _holds(sign, view, missing, cause)]
    value, limited = confidence([_weight(sign, view) for sign in seen], [sign.strength for sign in against])
    grounds = (*(_ground(sign, view, True) for sign in seen), *(_ground(sign, view, False) for sign in against))
    return Judged(cause, view, value, grounds if value else (), limited, tuple(missing))


def _holds(sign: Sign, view: View, missing: dict[str, None], cause: Cause) -> bool:
    try:
        truth = decide(bind(sign.tree), view.value)
    except RuleError as error:
        if unread := view.garbled(names(sign.tree)):
            missing.update(dict.fromkeys(unread))
            return False
        raise RuleError(f"{error.message}: {sign.when}", file=cause.file) from None
    if isinstance(truth, Missing):
        missing.update(dict.fromkeys(truth.needs))
        return False
    return truth


def _weight(sign: Sign, view: View) -> Weight:
    roots = frozenset(_roots(sign, view))
    return Weight(sign.strength, sign.separates, _kind(roots), roots)


def _roots(sign: Sign, view: View) -> Iterator[str]:
    """The names a sign stems from, derived facts replaced by what they were computed from."""
    for name in names(sign.tree):
        found = [read for read in (name, *view.inputs(name)) if not read.startswith("fact.")]
        yield from found or [name]  # a fact that is read from tables, process lists or what people tell


def _kind(roots: frozenset[str]) -> Kind:
    heads = {name.partition(".")[0] for name in roots}
    if heads & {"rate", "delta"}:
        return Kind.MEASURED
    if heads & {"observed", "host"}:
        return Kind.OBSERVED
    counters = {name.partition(".")[2] for name in roots if name.startswith("status.")}
    if counters - _OF_THE_MOMENT:
        return Kind.SINCE_START
    return Kind.MEASURED if counters or heads & {"replica", "fact"} else Kind.SETTINGS


def _ground(sign: Sign, view: View, speaks_for: bool) -> Ground:
    facts = [view.fact(name) for name in dict.fromkeys(names(sign.tree)) if name not in _WORDS]
    known = tuple(view.explained(fact) for fact in facts if isinstance(fact, Fact))
    return Ground(fill(sign.says, view), sign.strength, known, speaks_for, sign.separates)


# Counters that tell what is, not what was since the server was started.
_OF_THE_MOMENT = frozenset(
    """Threads_running Open_tables Innodb_buffer_pool_pages_dirty Innodb_buffer_pool_pages_total
    Innodb_history_list_length Innodb_checkpoint_age wsrep_local_state_comment wsrep_local_recv_queue
    wsrep_cluster_size wsrep_evs_repl_latency Rpl_semi_sync_source_status Rpl_semi_sync_source_clients""".split()
)
_WORDS = frozenset({"role", "topology", "family", "vendor", "version"})
