"""Does the timeline of a recording name what was done, and when?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from advisor.history.prometheus import Wanted
from advisor.history.source import Source, read_history
from advisor.model.monitoring.timeline import Episode
from advisor.model.record import record
from advisor.timeline.build import timeline, wanted_quantities
from benchmarks.incidents.plays import PLAYS

MOST_ERROR_SECONDS = 10.0
CALM_SECONDS = 65.0  # before an incident; what comes before is the start of the load


@record
class Result:
    """One play: whether an episode near its time names it, whether the first sentence does, and how far off it is.

    `others`: episodes at other times, which nobody played.
    """

    name: str
    named: bool
    first: bool
    error_seconds: float | None
    others: int
    answer: str


def score(folder: Path) -> list[Result]:
    """Every kept play, in the order of the list."""
    return [_result(folder, play.name) for play in PLAYS if (folder / f"{play.name}.json").exists()]


def _result(folder: Path, name: str) -> Result:
    play = next(play for play in PLAYS if play.name == name)
    told = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    source = Source(str(folder / f"{name}.jsonl.gz"))
    begin = max(told["begin"], told["at"] - CALM_SECONDS)
    found = timeline(read_history(source, Wanted(begin, told["end"], wanted_quantities())))
    near = [each for each in found.episodes if abs(each.begin_seconds - told["at"]) <= MOST_ERROR_SECONDS]
    naming = [each for each in near if play.reason.search(each.reason)]
    best = min(naming, key=lambda each: abs(each.begin_seconds - told["at"]), default=None)
    others = [each for each in found.episodes if not _of_the_play(each, told)]
    error = None if best is None else best.begin_seconds - told["at"]
    first = best is not None and found.answer.startswith(best.sentence)
    return Result(name, best is not None, first, error, len(others), found.answer)


def _of_the_play(episode: Episode, told: dict[str, float]) -> bool:
    """Whether an episode is at the time of the play, its end or its aftermath."""
    return told["at"] - MOST_ERROR_SECONDS <= episode.begin_seconds <= told["cleared"] + 60


def table(results: Sequence[Result]) -> str:
    """The results as lines, and the sum."""
    lines = []
    for result in results:
        error = "" if result.error_seconds is None else f"{result.error_seconds:+.1f} s"
        verdict = "first sentence" if result.first else "named" if result.named else "-"
        lines.append(f"{result.name:17} {verdict:15} {error:8} others {result.others}  {result.answer}")
    played = [result for result in results if result.name != "quiet"]
    named, first = sum(result.named for result in played), sum(result.first for result in played)
    lines.append(f"named {named} of {len(played)} within {MOST_ERROR_SECONDS:g} s; in the first sentence {first}")
    return "\n".join(lines)
