"""What does somebody read in a terminal in the morning? The answer first, then what it rests on."""

from __future__ import annotations

from advisor.model.measurement import Interval
from advisor.model.recommendation import Contender, Recommendation, TunedSetting
from advisor.report.tune.soak import in_words as soak_in_words
from advisor.report.words.amounts import duration, rate
from advisor.report.words.layout import Page


def recommendation_as_text(found: Recommendation, page: Page) -> str:
    """The answer, the changes, the finalists, and what was not as it should be."""
    lines = page.wrap(page.paint(headline(found), "strong"), 0)
    lines += page.wrap(circumstances(found), 0)
    if found.chosen:
        lines += ["", "Change:"]
        for change in found.changes:
            lines += page.wrap(change_in_words(change), 2)
    if found.contenders:
        lines += ["", f"Measured in {_blocks(found.contenders)} blocks, each run after a fresh restart:"]
        lines += [f"  {row}" for row in _rows(found.contenders)]
    for one in found.contenders:
        if one.why_not:
            lines += page.wrap(f"{one.name}: {one.why_not}.", 2)
    if against := against_rules(found):
        lines += page.wrap(against, 2)
    if found.soak:
        lines += page.wrap(f"Soak: {soak_in_words(found.soak)}", 0)
    lines += ["", *page.wrap(course(found), 0)]
    for note in doubts(found):
        lines += page.wrap(f"! {note}", 0)
    return "\n".join(lines) + "\n"


def headline(found: Recommendation) -> str:
    """The answer in one sentence."""
    if not found.finished and not found.chosen:
        return "Stopped before the end: nothing is proved yet. `advisor tune resume` goes on."
    best = next((one for one in found.contenders if one.name == found.chosen), None)
    if best is None or best.ratio is None:
        return f"Nothing better is proved: {found.because}."
    return f"{times(best.ratio)} the sustained rate, inside the lag bound of {duration(found.lag_bound_ms)}."


def doubts(found: Recommendation) -> list[str]:
    """What was not as it should be."""
    early = (
        ["It was stopped before its end; `advisor tune resume` goes on."] if found.chosen and not found.finished else []
    )
    return [*early, *(found.preflight.doubts if found.preflight else ()), *found.notes, *found.left]


def against_rules(found: Recommendation) -> str:
    """What the search found beyond what the rules advise; "" where that was not measured."""
    told = [f"{one.name}: {times(one.against_rules)} what the rules' advice alone gives" for one in found.contenders
            if one.against_rules and one.against_rules.mid is not None]  # fmt: skip
    return "; ".join(told) + "." if told else ""


def times(ratio: Interval | None) -> str:
    """2.31 times (2.20 to 2.43)."""
    if ratio is None or ratio.mid is None:
        return "?"
    if ratio.low is None or ratio.high is None:
        return f"{ratio.mid:.2f} times"
    return f"{ratio.mid:.2f} times (95 %: {ratio.low:.2f} to {ratio.high:.2f})"


def circumstances(found: Recommendation) -> str:
    """What it was measured on."""
    load = found.load
    offered = f", {rate(load.rate_per_second)} tx/s offered" if load.rate_per_second else ""
    where = f"{found.cluster}, {str(found.topology).replace('_', ' ')}, {found.server}"
    return f"{where}; {load.workload} with {load.threads} clients on {', '.join(load.writers)}{offered}."


def change_in_words(change: TunedSetting) -> str:
    """A setting, what it was, on whom, how it takes effect, at which risk."""
    before = "/".join(dict.fromkeys(change.before))
    where, effect = ", ".join(change.members), change.how.replace("_", " ")
    return f"{change.name} = {change.after} (was {before}) on {where}; {effect}, risk {', '.join(change.risk)}"


def course(found: Recommendation) -> str:
    """What was tried, in one paragraph."""
    measured = [one for one in found.trials if one.rate is not None]
    refused = sum(1 for one in found.trials if one.rate is None)
    words = [f"{len(found.trials)} trials in {found.seconds / 60:.0f} min, {len(measured)} of them measured"]
    if refused:
        words.append(f"{refused} refused or broken off")
    if "runs" in found.noise:
        words.append(f"noise between equal runs {found.noise['runs']:.1%}")
    if found.noise.get("detectable"):
        words.append(f"gains from {found.noise['detectable']:.0%} on could be shown")
    given = f" Given up: {', '.join(found.given_up)}." if found.given_up else ""
    kept = "" if found.given_up else " Durability, consistency and correctness were compared in every trial and kept."
    return "; ".join(words) + "." + given + kept


def _blocks(contenders: tuple[Contender, ...]) -> str:
    """How many were run; "3 of 6" where a night ended before all were."""
    asked = len(contenders[0].rates)
    run = max(sum(value is not None for value in one.rates) for one in contenders)
    return str(asked) if run == asked else f"{run} of {asked}"


def _rows(contenders: tuple[Contender, ...]) -> list[str]:
    rows = [("", "tx/s", "ratio", "lag p95", "latency p95")]
    for one in contenders:
        known = [value for value in one.rates if value is not None]
        mean = sum(known) / len(known) if known else None
        ratio = "1" if one.ratio is None else times(one.ratio).replace(" times", "").replace("95 %: ", "")
        mark = one.name + (" *" if one.accepted else "")
        rows.append((mark, rate(mean), ratio, duration(one.lag_ms), duration(one.latency_ms)))
    widths = [max(len(row[at]) for row in rows) for at in range(5)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
