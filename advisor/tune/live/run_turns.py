"""How are turns run on a cluster that serves users? The limits are watched in each, and end it at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from advisor.bench.measure.sampler import ticks
from advisor.collect.targets import ClusterTarget
from advisor.errors import AdvisorError, ServerError
from advisor.lab.processes import held_back
from advisor.model.record import record, replace
from advisor.nodes import Node
from advisor.tune.live.candidates import Candidate
from advisor.tune.live.dead_man import DeadMansSwitch
from advisor.tune.live.limits import Limits, Standing, State
from advisor.tune.live.live_settings import bring_back, differing, set_values, without
from advisor.tune.live.small_steps import small_steps
from advisor.tune.live.statistics.turn_plan import TurnPlan
from advisor.tune.live.statistics.verdict import TurnPair
from advisor.tune.live.traffic.figures import Figures, Reading, figures_of, with_typical_latency
from advisor.tune.live.traffic.headroom import HeadroomReading
from advisor.tune.live.traffic.reader import READ_EVERY_SECONDS, LiveReader
from advisor.tune.space.member_values import ValuesByMember

_STEP_SECONDS: Final = 2.0
STEP_COMMITS: Final = 40.0  # by which the latency limit is judged before the next step
_LONGEST_STEP_SECONDS: Final = 10.0
_CALM_SECONDS: Final = 10.0
_MOST_WAITING_SECONDS: Final = 300.0
_PROGRESS_LINES: Final = 4  # of a candidate; a terminal shows more
MOST_DISTURBED: Final = 5  # pairs of one candidate, in which the traffic touched a limit on the former values


class LimitTouched(AdvisorError):
    """A limit was touched, or can no longer be watched. The former values are in force again.

    `changed`: it happened while the change was in force. `seconds` it took to bring the former values back.
    """

    exit_code = 4

    def __init__(self, standing: Standing, changed: bool, seconds: float) -> None:
        unknown = "it can no longer be watched: " if standing.state is State.UNKNOWN else ""
        super().__init__(f"{standing.watched}: {unknown}{standing.why}")
        self.standing, self.changed, self.seconds = standing, changed, seconds


class ChangedByOthers(ServerError):
    """Someone else changed a setting under test. It is left to them; the others have their former values."""


class Unsettled(AdvisorError):
    """The traffic touches the limits without any change. The former values are in force."""

    exit_code = 4


@record
class TurnListener:
    """Who hears what goes on: `second` every reading with what is in force, `tell` a line of text."""

    reading: Callable[[str, Reading], None] = lambda words, reading: None
    tell: Callable[[str], None] = lambda text: None


@record
class PairsRun:
    """The pairs of a candidate that were run; `ended_by` is the limit it touched, if any: then no pair counts."""

    pairs: tuple[TurnPair, ...]
    disturbed: int = 0
    ended_by: LimitTouched | None = None


@record
class _PendingTurn:
    """The figures of a turn; its headroom is computed meanwhile, which must not delay the next turn."""

    figures: Figures
    headroom: HeadroomReading | None


@record
class _PendingPair:
    former: _PendingTurn
    changed: _PendingTurn
    order: str


class TurnRunner:
    """Runs turns. `limits` are watched in every reading, on the former values as well.

    `source` is what headroom is computed from in every turn, None: it is not.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        reader: LiveReader,
        limits: Limits,
        switch: DeadMansSwitch,
        listener: TurnListener,
        source: ClusterTarget | None = None,
    ) -> None:
        self._nodes, self._reader, self._limits = nodes, reader, limits
        self._switch, self._listener, self._source = switch, listener, source
        self._since: list[Reading] = []
        self._candidate: Candidate | None = None
        self._in_force: ValuesByMember = {}
        self._left_to_others: set[tuple[str, str]] = set()

    def run(self, candidate: Candidate, plan: TurnPlan, orders: Sequence[str]) -> PairsRun:
        """The pairs of a candidate, in a given order; afterwards the former values are in force.

        ServerError when a member is lost, or the former values cannot be brought back.
        """
        pairs: list[_PendingPair] = []
        disturbed = 0
        self._to(None, "former values")
        try:
            self._approach(candidate)
            while len(pairs) < len(orders):
                words = f"pair {len(pairs) + 1} of {len(orders)}"
                try:
                    pairs.append(self._pair(candidate, plan, orders[len(pairs)], words))
                    if len(pairs) % max(1, len(orders) // _PROGRESS_LINES) == 0:
                        self._listener.tell(f"{words} done")
                except LimitTouched as touched:
                    disturbed += 1
                    if touched.changed or disturbed > MOST_DISTURBED:
                        return PairsRun((), disturbed, touched)
                    self._listener.tell(f"{words} is run again: {touched.message}")
                    self.wait_for_calm()
        except LimitTouched as touched:
            return PairsRun((), 0, touched)
        finally:
            self._former()
        return PairsRun(tuple(_with_headroom(pair) for pair in pairs), disturbed)

    def wait_for_calm(self) -> None:
        """Until no limit was touched for ten seconds; Unsettled when that takes minutes."""
        until = time.monotonic() + _MOST_WAITING_SECONDS
        calm_since = time.monotonic()
        self._since = []
        for now in ticks(READ_EVERY_SECONDS):
            if self._read("waiting for calm"):
                calm_since = now
            if now - calm_since > _CALM_SECONDS:
                return
            if now > until:
                raise Unsettled("the traffic does not stay within the limits even with the former values")

    def keep(self, candidate: Candidate) -> None:
        """Put a change into force, by small steps."""
        self._approach(candidate)
        self._candidate = None

    def _pair(self, candidate: Candidate, plan: TurnPlan, order: str, words: str) -> _PendingPair:
        turns = {}
        for letter in order:
            self._to(candidate if letter == "B" else None, f"{words}, {'change' if letter == 'B' else 'former values'}")
            turns[letter] = self._turn(plan, f"{words}, {letter}")
        return _PendingPair(turns["A"], turns["B"], order)

    def _turn(self, plan: TurnPlan, words: str) -> _PendingTurn:
        self._hold(plan.left_out_seconds, words)
        counted = plan.turn_seconds - plan.left_out_seconds
        headroom = HeadroomReading(self._source, counted) if self._source else None
        readings = self._hold(counted, words)
        return _PendingTurn(with_typical_latency(figures_of(readings), readings), headroom)

    def _approach(self, candidate: Candidate) -> None:
        """To the changed values by small steps, each held for a moment."""
        for step in _steps(candidate):
            self._set(candidate, step)
            shown = ", ".join(f"{name} = {value}" for own in step.values() for name, value in own.items())
            self._hold(_STEP_SECONDS, f"step to {shown}", STEP_COMMITS)

    def _to(self, candidate: Candidate | None, words: str) -> None:
        if candidate is not None and self._candidate is not candidate:
            self._set(candidate, candidate.changed)
        elif candidate is None and self._candidate is not None:
            self._former()
        self._since = self._since[-1:]

    def _set(self, candidate: Candidate, values: ValuesByMember) -> None:
        with held_back():  # Ctrl-C in the middle would leave it unknown what was set
            self._leave_to_others(candidate.former if self._candidate is None else self._in_force)
            self._candidate, self._in_force = candidate, {}
            self._switch.changed()
            set_values(self._nodes, values)
            for node in self._nodes:
                for name, value in differing(node, values.get(node.name, {})).items():
                    raise ServerError(f"{node.name} did not accept {name} = {value}", number=_NOT_TAKEN)
            self._in_force = values
        self._since = self._since[-1:]

    def _former(self) -> None:
        """The former values, now. ServerError when a member does not take them back, or has another of someone else."""
        if self._candidate is None:
            return
        with held_back():
            candidate, self._candidate = self._candidate, None
            try:
                self._leave_to_others(self._in_force)
            finally:
                left = bring_back(self._nodes, without(candidate.former, self._left_to_others))
        if left:
            raise ServerError("; ".join(left), hint="advisor tune rollback")
        self._switch.former()

    def _leave_to_others(self, expected: ValuesByMember) -> None:
        """ChangedByOthers where a value is no longer the one that we left there: whoever set it shall have it."""
        for node in self._nodes:
            for name, value in differing(node, expected.get(node.name, {})).items():
                if (node.name, name) in self._left_to_others:
                    continue
                self._left_to_others.add((node.name, name))
                self._switch.leave(node.name, name)
                raise ChangedByOthers(
                    f"{node.name}: someone else changed {name}, which was {value}; it is left as it is"
                )

    def _hold(self, seconds: float, words: str, commits: float = 0.0) -> list[Reading]:
        """Read for some seconds, and until so many commits are seen, if that does not take too long.

        LimitTouched, with the former values in force, when a limit is.
        """
        begun = time.monotonic()
        readings: list[Reading] = []
        for _ in ticks(READ_EVERY_SECONDS):
            touched = self._read(words)
            readings.append(self._since[-1])
            if touched:
                changed = self._candidate is not None
                self._former()
                raise LimitTouched(touched[0], changed, time.monotonic() - readings[-1].at_seconds)
            held = time.monotonic() - begun
            if held >= seconds and (figures_of(readings).commits >= commits or held >= _LONGEST_STEP_SECONDS):
                return readings
        raise AssertionError  # ticks never end

    def _read(self, words: str) -> list[Standing]:
        """One more reading; the limits that are touched, or cannot be watched any more."""
        self._since.append(self._reader.read())
        self._switch.alive()
        self._listener.reading(words, self._since[-1])
        standings = self._limits.standings(self._since)
        return [standing for standing in standings if standing.state in (State.TOUCHED, State.UNKNOWN)]


def approach_seconds(candidate: Candidate, commits_per_second: float) -> float:
    """How long the small steps to a change take."""
    each = min(max(_STEP_SECONDS, STEP_COMMITS / max(commits_per_second, 1e-9)), _LONGEST_STEP_SECONDS)
    return each * len(_steps(candidate))


def _steps(candidate: Candidate) -> list[dict[str, dict[str, str]]]:
    paths = {
        member: small_steps(candidate.former[member], own, candidate.edges) for member, own in candidate.changed.items()
    }
    longest = max(map(len, paths.values()))
    return [{member: path[min(number, len(path) - 1)] for member, path in paths.items()} for number in range(longest)]


def _with_headroom(pair: _PendingPair) -> TurnPair:
    former, changed = (
        replace(turn.figures, headroom=turn.headroom.result() if turn.headroom else None)
        for turn in (pair.former, pair.changed)
    )
    return TurnPair(former, changed, pair.order)


_NOT_TAKEN: Final = 1231  # the server's own number for a value it cannot set
