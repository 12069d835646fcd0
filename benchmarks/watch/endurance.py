"""Does a recording survive what happens in hours? The watch is killed, a server is killed, and its disk runs full.

    python -m benchmarks.watch.endurance LAB --keep FOLDER [--minutes 120] [--every 300] [--at-most 16M] [--rate 40]

The ring is on a small disk of its own, where this user may mount one (root on Linux); elsewhere the disk is not filled.
Each second: is the ring within its bound? After each event and at the end: is every entry whole, and does the recording
go on? FOLDER keeps every second's size and every event; started again, it goes on until the minutes are over.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from advisor.client import connect
from advisor.cluster_file import addresses, read_cluster
from advisor.lab import members
from advisor.lab.state import read_state
from advisor.model.lab import ClusterFile
from advisor.ring.blocks import Torn, entries
from advisor.ring.folder import room, segments
from advisor.ring.reading import RingReading
from advisor.units import parse_size
from benchmarks.incidents.paced_load import PacedLoad, prepare

EVENTS = ("kill the watch", "kill a server", "fill the disk")
FULL_SECONDS = 30.0
_DISK_FACTOR = 1.5  # the disk is so much larger than the ring may be


def main() -> None:
    """Go on until the minutes are over, then judge."""
    words = read_words()
    words.keep.mkdir(parents=True, exist_ok=True)
    cluster = read_cluster(read_state(words.lab).cluster_path)
    most = parse_size(words.at_most) or 0
    writer = addresses(cluster)[cluster.members[0].name]
    with connect(writer) as session:
        prepare(session)
    load = PacedLoad(lambda: writer, rate=words.rate)
    load.start()
    with small_disk(words.keep, most) as disk:
        Trial(cluster, disk, words.keep / "log.jsonl", words.at_most, words.ring_keep).run(
            words.minutes * 60, words.every
        )
        load.stop()
        judge(disk / "ring", words.keep / "log.jsonl", most)


class Trial:
    """A watch that things happen to."""

    def __init__(self, cluster: ClusterFile, disk: Path, log: Path, at_most: str, keep: str) -> None:
        self._cluster, self._disk, self._log, self._at_most, self._keep = cluster, disk, log, at_most, keep
        self._watch = self._start()

    def run(self, seconds: float, every: float) -> None:
        """Let seconds pass, those of earlier starts included, with an event every so often."""
        passed = [row for row in read_log(self._log) if "ring_bytes" in row]
        number = sum("event" in row for row in read_log(self._log))
        for second in range(len(passed), round(seconds)):
            begun = time.monotonic()
            if second and second % round(every) == 0:
                self._happen(EVENTS[number % len(EVENTS)])
                number += 1
            if self._watch.poll() is not None:
                self._note(event="the watch ended by itself", code=self._watch.returncode)
                self._watch = self._start()
            self._note(second=second, ring_bytes=used(self._disk / "ring"))
            time.sleep(max(0.0, 1.0 - (time.monotonic() - begun)))
        self._watch.terminate()
        self._note(event="asked to end", code=self._watch.wait(60))

    def _happen(self, event: str) -> None:
        name = self._cluster.members[-1].name
        if event == "kill the watch":
            self._watch.send_signal(signal.SIGKILL)
            self._watch.wait()
            self._note(event=event, torn=torn_inside(self._disk / "ring"))
            self._watch = self._start()
        elif event == "kill a server":
            os.kill(members.running(self._cluster)[name], signal.SIGKILL)
            time.sleep(3)
            members.start(self._cluster, [name])
            self._note(event=event, member=name)
        else:
            self._fill()

    def _fill(self) -> None:
        other = self._disk / "other"
        before = largest = used(self._disk / "ring")
        with other.open("wb", buffering=0) as stream:
            ends = time.monotonic() + FULL_SECONDS
            while time.monotonic() < ends:
                with suppress(OSError):
                    while stream.write(bytes(1 << 16)):
                        pass
                largest = max(largest, used(self._disk / "ring"))
                time.sleep(0.2)
        after = used(self._disk / "ring")
        other.unlink()
        torn = torn_inside(self._disk / "ring")
        self._note(event="fill the disk", before=before, ring_largest=largest, after=after, torn=torn)

    def _start(self) -> subprocess.Popen[bytes]:
        words = ["watch", "--cluster", self._cluster.path, "--ring", str(self._disk / "ring"), "--quiet"]
        options = ["--at-most", self._at_most, "--keep", self._keep, "--when", "unreachable", "--cool-down", "60s"]
        with (self._log.parent / "watch.err").open("ab") as errors:
            return subprocess.Popen([sys.executable, "-m", "advisor", *words, *options], stderr=errors)

    def _note(self, **row: object) -> None:
        with self._log.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"at": round(time.time(), 3), **row}) + "\n")


@contextmanager
def small_disk(folder: Path, most: int) -> Iterator[Path]:
    """A disk of its own below the folder where one can be mounted; it stays mounted for the next start."""
    disk = folder / "disk"
    disk.mkdir(exist_ok=True)
    if not disk.is_mount():
        options = ["-t", "tmpfs", "-o", f"size={round(most * _DISK_FACTOR)}", "advisor-endurance", str(disk)]
        if sys.platform != "linux" or subprocess.run(["mount", *options], check=False).returncode:
            raise SystemExit("this needs a small disk of its own, which only root can mount, on Linux")
    yield disk


def used(ring: Path) -> int:
    """What every file of the ring takes on its disk."""
    total = 0
    for path in ring.rglob("*"):
        with suppress(OSError):  # it was removed meanwhile
            total += room(path.stat().st_size) if path.is_file() else 0
    return total


def torn_inside(ring: Path) -> list[str]:
    """Segments that are not whole, without the newest: its end may be just being written."""
    return [
        segment.path.name for segment in segments(ring)[:-1] if any(isinstance(e, Torn) for e in entries(segment.path))
    ]


def judge(ring: Path, log: Path, most: int) -> None:
    """Print whether everything held."""
    rows = read_log(log)
    sizes = [row["ring_bytes"] for row in rows if "ring_bytes" in row]
    largest = max([*sizes, *(row["ring_largest"] for row in rows if "ring_largest" in row)])
    events = [row for row in rows if "event" in row]
    print(f"{len(sizes) / 60:.0f} minutes; {len([e for e in events if e['event'] in EVENTS])} events")
    print(f"largest: {largest:,} of {most:,} bytes ({'within' if largest <= most else 'OVER'} the bound)")
    torn = [name for row in events for name in row.get("torn", ())] + torn_inside(ring)
    reading = RingReading(ring, 0, 0)
    moments = sorted({round(second.at_seconds) for second in reading if second.samples})
    problems = [each for each in reading.problems if "clock" not in each]
    print(f"torn: {torn or 'nothing'}; problems of reading: {problems or 'none'}")
    gaps = [(one, other - one) for one, other in pairwise(moments) if other - one > 2]
    print(f"the ring holds {len(moments)} seconds of {moments[-1] - moments[0] + 1}; gaps: {gaps}")
    ended = [row for row in events if row["event"] in ("the watch ended by itself", "asked to end")]
    print(f"ends: {[(row['event'], row['code']) for row in ended]}")


def read_log(path: Path) -> list[dict[str, Any]]:
    """Every row so far."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def read_words() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lab")
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--every", type=float, default=300.0)
    parser.add_argument("--at-most", default="16M")
    parser.add_argument("--ring-keep", default="24h", help="--keep of the watch: 10m for a short run")
    parser.add_argument("--rate", type=float, default=40.0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
