"""How good are the answers to mechanisms? First answers, false alarms, predictions, calibration, explained time.

An answer is a cause told with a confidence of at least 0.5, `healthy_or_expected` among them. Only proven labels count:
where the mechanism names an effect, taking it away raised that rate to at least 1.2 times what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any, Final

from advisor.model.record import record
from benchmarks.diagnosis.gym.mechanisms import Mechanism
from benchmarks.diagnosis.score import SURE, WITHIN

PROVES: Final = 1.2
_HEALTHY: Final = "healthy_or_expected"
_TWO: Final = 2  # bottlenecks at once
_NOT_TOLD: Final = ("measurement_not_comparable",)  # says nothing about the cluster
_BANDS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


@record
class Played:
    """A mechanism with the kept result of a play that did not fail."""

    play: str
    mechanism: Mechanism
    kept: Mapping[str, Any]

    @property
    def answers(self) -> list[Mapping[str, Any]]:
        """The causes that were told, in order; by the rules of today where the bundle was judged again."""
        return _told(self.kept.get("again") or self.kept["document"])

    @property
    def factor(self) -> float | None:
        """By how much the rate rose; None where nothing was to rise. Of commits, those of the clients count."""
        after = self.kept["after"]
        if not self.mechanism.effect or after is None:
            return None
        rate = "clients" if self.mechanism.effect == "committed" else self.mechanism.effect
        before = self.kept["before"][rate]
        return after[rate] / before if before else float("inf") if after[rate] else 0.0

    @property
    def proved(self) -> bool:
        """Whether the label holds: healthy, without an effect, or with one that was seen."""
        return not self.mechanism.effect or (self.factor or 0.0) >= PROVES

    def right(self, first: int) -> bool:
        """Whether a label is among the `first` answers."""
        return any(answer["cause"] in self.mechanism.causes for answer in self.answers[:first])

    @property
    def both(self) -> bool:
        """Whether each group of labels has one among the first three answers."""
        told = {answer["cause"] for answer in self.answers[:3]}
        return all(told & set(group) for group in self.mechanism.asked)

    @property
    def alarmed(self) -> bool:
        """Whether a limit was claimed that is not even accepted; for healthy clusters."""
        fine = {_HEALTHY, *self.mechanism.accepted}
        return any(answer["cause"] not in fine for answer in self.answers)

    def holds(self, cause: str) -> bool:
        """Whether a cause that was told is true."""
        true = {*self.mechanism.causes, *self.mechanism.accepted, *([_HEALTHY] if self.mechanism.healthy else [])}
        return cause in true

    @property
    def measured(self) -> float | None:
        """The rate after taking it away, as the members count it."""
        after = self.kept["after"]
        return after[self.mechanism.effect] if self.mechanism.effect and after else None

    @property
    def predicted(self) -> Mapping[str, float] | None:
        """What the first answer predicts."""
        return self.answers[0]["predicted_per_second"] if self.answers else None

    @property
    def agrees(self) -> bool:
        """Whether the bundle gave the same first answer as the live cluster, with the same rules."""
        return _first(self.kept["document"]) == _first(self.kept["offline"])

    @property
    def explained(self) -> float | None:
        """The share of the writers' time that the profile explains; None without a profile."""
        document = self.kept.get("again") or self.kept["document"]
        writers = [one for one in document.get("profile") or () if one.get("group") == "writers"]
        threads = sum(one["threads"] for one in writers)
        if not threads:
            return None
        return 1 - float(sum(one["unexplained"] * one["threads"] for one in writers) / threads)


def totals(played: Sequence[Played], failed: int = 0) -> list[str]:
    """The figures with their denominators; no name of a mechanism."""
    return list(_totals(played, failed))


def _totals(played: Sequence[Played], failed: int) -> Iterator[str]:
    made = [one for one in played if not one.mechanism.healthy]
    proven = [one for one in made if one.proved]
    healthy = [one for one in played if one.mechanism.healthy]
    unproved = len(made) - len(proven)
    yield f"played: {len(made)} bottlenecks, {len(healthy)} healthy; not proved: {unproved}; failed: {failed}"
    yield _share("first answer right", [one.right(1) for one in proven])
    yield _share("right among the first two", [one.right(2) for one in proven])
    if several := [one for one in proven if len(one.mechanism.asked) >= _TWO]:
        yield _share("both labels among the first three", [one.both for one in several])
    yield _share("nothing told", [not one.answers for one in proven])
    yield _share('told "nothing to fix" first', [_first_cause(one) == _HEALTHY for one in proven])
    yield _share("healthy with a false alarm", [one.alarmed for one in healthy])
    yield from _predictions(proven)
    yield _share("live and bundle agree on the first answer", [one.agrees for one in played])
    yield from _calibration([*proven, *healthy])
    shares = [share for one in [*proven, *healthy] if (share := one.explained) is not None]
    if shares:
        yield f"writers' time explained: median {median(shares):.0%}, least {min(shares):.0%} ({len(shares)} profiles)"


def _predictions(proven: Sequence[Played]) -> Iterator[str]:
    """Of single bottlenecks: where two are taken away, the rate is not the one that the first advice alone gives."""
    single = [one for one in proven if len(one.mechanism.asked) < _TWO]
    pairs = [(one.measured, one.predicted) for one in single if one.measured]
    told = [(measured, predicted) for measured, predicted in pairs if predicted]
    yield f"effects of a single bottleneck measured: {len(pairs)}, predicted by the first answer: {len(told)}"
    inside = [bool(p["low"] <= (m or 0) <= p["high"]) for m, p in told]
    near = [abs(p["mid"] / (m or 1) - 1) <= WITHIN for m, p in told]
    yield _share("  measured between low and high", inside) + f", {_percent(inside, len(pairs))} of all effects"
    yield _share(f"  within {WITHIN:.0%}", near) + f", {_percent(near, len(pairs))} of all effects"


def _calibration(played: Sequence[Played]) -> Iterator[str]:
    answers = [(answer["confidence"], one.holds(answer["cause"])) for one in played for answer in one.answers]
    yield "answers by confidence:"
    for low, high in pairwise(_BANDS):
        hits = [right for confidence, right in answers if low <= confidence < high]
        yield _share(f"  {low:.1f}-{min(high, 1.0):.1f}: right", hits)


def lines(played: Sequence[Played]) -> list[str]:
    """One line for each play: mark, name, what was told, what was asked, the effect."""
    return [f"{_mark(one)}  {one.play}: {_answers(one)}; {_asked(one)}{_effect(one)}" for one in played]


def _mark(one: Played) -> str:
    if not one.proved:
        return "not proved"
    right = not one.alarmed if one.mechanism.healthy else one.right(1)
    return "right" if right else "second" if one.right(2) else "WRONG"


def _answers(one: Played) -> str:
    causes = (one.kept.get("again") or one.kept["document"])["causes"]
    return ", ".join(f"{cause['cause']} {cause['confidence']:.2f}" for cause in causes[:4]) or "nothing"


def _asked(one: Played) -> str:
    return f"asked {' and '.join('/'.join(group) for group in one.mechanism.asked) or 'no cause'}"


def _effect(one: Played) -> str:
    if one.factor is None:
        return f"; {one.kept['before']['clients']:.0f} tx/s"
    before, after = (one.kept[when][one.mechanism.effect] for when in ("before", "after"))
    predicted = f"{one.predicted['mid']:.0f}" if one.predicted else "nothing"
    return f"; {before:.0f} → {after:.0f} tx/s (x{one.factor:.1f}), predicted {predicted}"


def _told(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for one in document["causes"] if one["confidence"] >= SURE and one["cause"] not in _NOT_TOLD]


def _first(document: Mapping[str, Any]) -> str:
    return next((one["cause"] for one in _told(document)), "")


def _first_cause(one: Played) -> str:
    return one.answers[0]["cause"] if one.answers else ""


def _share(what: str, hits: Sequence[bool]) -> str:
    return f"{what}: {sum(hits)} of {len(hits)}" + (f" ({_percent(hits, len(hits))})" if hits else "")


def _percent(hits: Sequence[bool], of: int) -> str:
    return f"{sum(hits) / of:.0%}" if of else "0%"
