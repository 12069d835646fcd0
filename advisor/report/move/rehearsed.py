"""What did real servers show of a move? The sentences of `--prove`, for the terminal and for a ticket."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.annotations import Final
from advisor.model.move import DefaultChange, Move
from advisor.model.move.rehearsal import Rehearsal, ReplicationTrial
from advisor.report.words.values import printable

Lines = Iterator[tuple[str, str]]
_LONGEST: Final = 30  # signs of a value


def rehearsed(move: Move) -> Lines:
    """(label, sentence) in reading order; nothing where the move was not rehearsed."""
    done = move.rehearsal
    if done is None:
        return
    if not done.started:
        yield "start", f"a server did not start: {printable(done.refusal)}"
        yield from _remarks(done)
        return
    yield "start", f"{done.old} started with the files as they are, {done.new} with the rewritten ones"
    yield "rate", _rate(done)
    if done.replication is not None:
        yield "replication", _replication(done, done.replication)
    yield from _variables(move, done)
    yield from _remarks(done)


def _rate(done: Rehearsal) -> str:
    if done.ratio is None or done.ratio.mid is None:
        return "no load was asked for"
    old, new = (", ".join(f"{rate:,.0f}" for rate in rates) for rates in (done.rates_old, done.rates_new))
    ratio = f"{done.ratio.mid:.2f} times the rate of the old release"
    if done.ratio.low is not None and done.ratio.high is not None:
        ratio += f", 95 % interval {done.ratio.low:.2f} to {done.ratio.high:.2f}"
        if done.ratio.low <= 1 <= done.ratio.high:
            ratio += ": no difference is shown"
    load = f"{done.workload}, {done.threads} clients, runs of {done.seconds:g} s"
    return f"{ratio} ({load}; old {old}, new {new} transactions per second)"


def _replication(done: Rehearsal, trial: ReplicationTrial) -> str:
    if not trial.tried:
        return f"not tried: {printable(trial.why)}"
    if trial.alike:
        says = f"{done.new} replicated {trial.transactions} transactions from {done.old}, and has the same rows"
        return f"{says} ({printable(trial.why)})" if trial.why else says
    return f"{done.new} does not replicate from {done.old}: {printable(trial.why)}"


def _variables(move: Move, done: Rehearsal) -> Lines:
    """What the servers show to differ, of which the plan above said nothing."""
    told = {name for member in move.members for change in member.defaults for name in _names(change)}
    told |= {option.name for member in move.members for option in member.options}
    untold = [f"{name} {_value(old)} → {_value(new)}" for name, old, new in done.variables if name not in told]
    named = len(done.variables) - len(untold)
    yield "variables", f"{len(done.variables)} differ; {named} are options or changed defaults of this report (--all)"
    if untold:
        yield "not named", ", ".join(untold)


def _names(change: DefaultChange) -> tuple[str, str]:
    return change.name, change.old_name


def _value(text: str) -> str:
    text = printable(text)
    return (text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…") or "''"


def _remarks(done: Rehearsal) -> Lines:
    for each in done.left_out:
        yield "left out", f"{printable(each.text)}: {each.why}"
    for note in done.notes:
        yield "note", note
