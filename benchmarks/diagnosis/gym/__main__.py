"""`python -m benchmarks.diagnosis.gym`: play every mechanism without a kept result on real servers, print the score.

    python -m benchmarks.diagnosis.gym [--side open|locked|both] [--only WORDS] [--keep FOLDER] [--offline]
                                       [--seconds N] [--names] [--again]

Result and bundle of a play are kept as soon as it ends, so an interrupted run continues where it stopped; what fails is
tried once more. With --offline the kept bundles are judged again, without servers. Of the locked side nothing but
totals is ever told, and each look is noted in FOLDER/locked-looks.log.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from advisor.bench.open_cluster import OpenCluster
from advisor.errors import AdvisorError, RuleError
from benchmarks.diagnosis.gym import kept as kept_plays
from benchmarks.diagnosis.gym.make import NotUndoneError
from benchmarks.diagnosis.gym.mechanisms import SIDES, Play, load_plays
from benchmarks.diagnosis.gym.play import run_play
from benchmarks.diagnosis.gym.score import Played, lines, totals
from benchmarks.diagnosis.running_lab import running_lab, settle

_LOOKS = "locked-looks.log"
_PLAYS = Path(__file__).parents[1] / "plays"


def main() -> int:
    """Play what has no result, then score; 1 when a file is wrong or a play failed."""
    try:
        return _main(_options())
    except AdvisorError as error:
        _tell(str(error))
        return error.exit_code


def _main(options: argparse.Namespace) -> int:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # labs are removed, and what was played is scored
    keep = Path(options.keep)
    keep.mkdir(parents=True, exist_ok=True)
    sides = SIDES if options.side == "both" else (options.side,)
    chosen, wrong = _chosen(sides, options.only)
    try:
        if not options.offline:
            _play_all(chosen, keep, time.monotonic() + options.seconds, again=options.again)
    except KeyboardInterrupt:
        _tell("interrupted")
        wrong += 1
    failed = 0
    for side in sides:
        failed += _score(side, [play for play in chosen if play.side == side], keep, options)
    return int(wrong + failed > 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.diagnosis.gym", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--side", choices=(*SIDES, "both"), default="open", help="which mechanisms")
    parser.add_argument("--only", default="", help="comma-separated: plays (NAME@LAB) that contain one of these words")
    parser.add_argument("--keep", default=str(_PLAYS), help="folder of bundles and results")
    parser.add_argument("--offline", action="store_true", help="judge the kept bundles again, without servers")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no play after this many seconds")
    parser.add_argument("--names", action="store_true", help="a line for each play (open side only)")
    parser.add_argument("--again", action="store_true", help="play what has a result, too")
    options = parser.parse_args()
    if options.names and options.side != "open":
        parser.error("--names: of the locked side only totals are told")
    return options


def _chosen(sides: tuple[str, ...], only: str) -> tuple[list[Play], int]:
    """The plays whose name has one of the words, and how many files are wrong."""
    plays: list[Play] = []
    wrong = 0
    for side in sides:
        found, errors = load_plays(side)
        plays += [play for play in found if any(word in play.name for word in only.split(","))]
        wrong += len(errors)
        for error in errors:
            _tell(str(error))
    return sorted(plays, key=lambda play: play.lab.name), wrong


def _play_all(chosen: list[Play], keep: Path, until: float, *, again: bool) -> None:
    wanted = [play for play in chosen if again or kept_plays.is_wanted(keep, play)]
    for _ in range(2):  # what failed is tried once more
        for _, plays in groupby(wanted, key=lambda play: play.lab.name):
            left = list(plays)
            while left and time.monotonic() < until:
                _play_on_one_lab(left, keep, until)
        wanted = [play for play in wanted if kept_plays.is_wanted(keep, play)]


def _play_on_one_lab(left: list[Play], keep: Path, until: float) -> None:
    """Play the first of these, and more while the lab recovers from each; those that were played leave `left`."""
    begun, lab = len(left), left[0].lab
    open_only = all(play.side == "open" for play in left)
    try:
        with running_lab(lab, f"gym-{lab.name[:20]}-{os.getpid()}", _tell) as opened:
            while left and time.monotonic() < until:
                _play(left.pop(0), opened, keep)
                settle(opened)
    except RuleError:
        raise  # every play would fail by it
    except AdvisorError as error:
        _tell(f"{lab.name}: {error if open_only else 'begun anew'}")
        if len(left) == begun:  # the lab never started
            for play in left:
                kept_plays.keep_error(keep, play, f"no lab: {error.message}")
            left.clear()


def _play(play: Play, opened: OpenCluster, keep: Path) -> None:
    """Play and keep the result or the error; NotUndoneError when the lab cannot be used any more."""
    name = play.name if play.side == "open" else f"a locked mechanism on {play.lab.name}"
    try:
        done = run_play(play, opened, kept_plays.bundle_of(keep, play), lambda text: None)
    except RuleError:
        raise
    except Exception as error:  # whatever it is, hours of other plays must not be lost
        message = error.message if isinstance(error, AdvisorError) else repr(error)
        kept_plays.keep_error(keep, play, message)
        _tell(f"{name}: {message if play.side == 'open' else 'failed'}")
        if isinstance(error, NotUndoneError):
            raise
        return
    kept_plays.keep_run(keep, play, done)
    told = lines([Played(play.name, play.mechanism, vars(done))])[0] if play.side == "open" else name
    _tell(f"{told} ({done.seconds:.0f} s)")


def _score(side: str, plays: list[Play], keep: Path, options: argparse.Namespace) -> int:
    """Print the figures of a side; how many plays have failed."""
    of = kept_plays.judged_again if options.offline else kept_plays.kept_result
    results = [(play, data) for play in plays if (data := of(keep, play))]
    played = [Played(play.name, play.mechanism, data) for play, data in results if "error" not in data]
    failed = len(results) - len(played)
    if side == "locked" and options.only:
        print(f"locked: {len(played)} of {len(plays)} played; not scored, because --only would tell single ones")
        return failed
    told = totals(played, failed)
    print(f"{side}: {len(played)} of {len(plays)} played", *told, sep="\n  ")
    if side == "locked":
        with open(keep / _LOOKS, "a", encoding="utf-8") as stream:
            stream.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {_commit()} {'; '.join(told)}\n")
    elif options.names:
        print(*lines(played), sep="\n")
        print(*(f"failed  {play.name}: {data['error']}" for play, data in results if "error" in data), sep="\n")
    return failed


def _commit() -> str:
    words = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=Path(__file__).parent)
    return done.stdout.strip() or "unknown"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
