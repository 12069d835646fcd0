"""Which way of tuning ships the most on a real cluster? Equal time for each, then all answers in one block design.

    python -m benchmarks.tuner.contest FOLDER [--starts galera,group] [--methods advisor,TPE] [--minutes 45]

Every answer and every run of a block is a line in FOLDER, so a contest that was stopped goes on where it ended. The
ways take turns: each repeat has every way once, in a random order, on a lab that is started anew for each. GPSampler
needs torch. The blocks of a repeat run when all its answers are there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from advisor.lab import down
from advisor.lab.up import bring_up
from advisor.model.recommendation import BASELINE, Contender
from advisor.model.tuning import Settings
from advisor.tune.request.request import Request
from advisor.tune.state import study_folder
from advisor.tune.state.journal import Journal
from advisor.tune.state.jsonl import append_lines
from advisor.tune.trial.restore import restore
from advisor.tune.validation.blocks import contenders, run_blocks
from benchmarks.tuner.contest.searching import METHODS, Tell, answer_of, environment_of, ground_of
from benchmarks.tuner.contest.starts import STARTS, Start, lab_of, request_of

BLOCKS: Final = 6


def main() -> int:
    """Go on with the contest until it is complete; print the table."""
    words = read_words()
    words.folder.mkdir(parents=True, exist_ok=True)
    starts = [start for start in STARTS if start.name in words.starts]
    for repeat in range(words.repeats):
        for start in starts:
            play(words, start, repeat)
    return 0


def read_words() -> argparse.Namespace:
    """The command line."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("folder", type=Path)
    words.add_argument("--starts", type=lambda text: text.split(","), default=[start.name for start in STARTS])
    words.add_argument("--methods", type=lambda text: text.split(","), default=list(METHODS))
    words.add_argument("--minutes", type=float, default=45.0)
    words.add_argument("--repeats", type=int, default=3)
    words.add_argument("--blocks", type=int, default=BLOCKS)
    given = words.parse_args()
    if unknown := set(given.methods) - set(METHODS):
        words.error(f"unknown methods: {', '.join(sorted(unknown))}")
    return given


def play(words: argparse.Namespace, start: Start, repeat: int) -> None:
    """What is missing of one repeat on one start: answers, then blocks; its part of the table."""
    answers = read_answers(words.folder / "answers.jsonl", start, repeat)
    order = random.Random(f"{start.name} {repeat}").sample(words.methods, len(words.methods))
    for method in order:
        if method in answers:
            continue
        began = time.monotonic()
        with lab(start, words.minutes * 60, repeat) as request:
            answer = answer_of(method, request, tell(f"{start.name} {repeat + 1} {method}"))
        row = {"start": start.name, "repeat": repeat, "method": method, "seconds": time.monotonic() - began}
        answers[method] = row | {"settings": dict(answer.settings), "trials": answer.trials, "failed": answer.failed}
        append_lines(words.folder / "answers.jsonl", [answers[method]])
    for contender in judged(words, start, repeat, {name: answers[name]["settings"] for name in words.methods}):
        print(line(start, repeat, contender, answers.get(contender.name)), flush=True)


def read_answers(path: Path, start: Start, repeat: int) -> dict[str, dict[str, Any]]:
    """What the ways ship, as far as it is known, by the name of the way."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return {row["method"]: row for row in rows if (row["start"], row["repeat"]) == (start.name, repeat)}


@contextmanager
def lab(start: Start, seconds: float, seed: int) -> Iterator[Request]:
    """A lab of a start, and what is asked on it; it is gone in the end."""
    cluster = bring_up(lab_of(start, f"contest-{start.name}"), lambda said: None)
    try:
        yield request_of(start, cluster.path, seconds, seed)
    finally:
        down.take_down(f"contest-{start.name}")


def judged(words: argparse.Namespace, start: Start, repeat: int, answers: Mapping[str, Settings]) -> list[Contender]:
    """All answers next to the start, in blocks."""
    path = words.folder / f"blocks-{start.name}-{repeat}.jsonl"
    with lab(start, 0.0, repeat) as request:
        target, ground = ground_of(request)
        finalists = {BASELINE: ground.start, **answers}
        journal_path = study_folder.journal_path(study_folder.folder_of(target.cluster))
        journal_path.parent.mkdir(parents=True, exist_ok=True)
        journal = Journal(journal_path)
        journal.begin(target.originals)
        say = tell(f"{start.name} {repeat + 1}")
        try:
            runs = run_blocks(environment_of(target, request, journal, say), finalists, words.blocks, path, repeat, say)
        finally:
            restore(target.cluster, journal_path, say)
    return contenders(finalists, runs, words.blocks, request.lag_bound_ms)


def tell(where: str) -> Tell:
    """A listener that writes to standard error."""
    return lambda said: print(f"{time.strftime('%H:%M:%S')} {where}: {said}", file=sys.stderr, flush=True)


def line(start: Start, repeat: int, contender: Contender, answer: Mapping[str, Any] | None) -> str:
    """One row of the table: what it ships, and what that is worth."""
    rates = [rate for rate in contender.rates if rate is not None]
    ratio = contender.ratio
    worth = f"{ratio.mid:.2f} ({ratio.low:.2f}-{ratio.high:.2f})" if ratio else "1"
    lag = "unknown" if contender.lag_ms is None else f"{contender.lag_ms:.0f} ms"
    rate = f"{sum(rates) / len(rates):.0f} tx/s" if rates else "nothing measured"
    tried = f"{answer['trials']} trials, {answer['failed']} failed" if answer else "the start"
    columns = f"{start.name:9} {repeat + 1} {contender.name:10} {rate:>12} {worth:18} lag {lag:9} {tried:24}"
    return f"{columns} {contender.why_not}".rstrip()


if __name__ == "__main__":
    sys.exit(main())
