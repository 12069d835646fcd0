"""How long does `advisor why` take for a large bundle? Whole processes against a bare Python, interleaved.

    benchmarks/why_speed.py BUNDLE [--members 9] [--samples 600] [--runs 5] [--keep FILE] [--counters-only]

BUNDLE is a cluster that was really read (`advisor collect --for 10s -o bundle.tar.gz`, or any folder `advisor why`
reads). What was read of it is stretched to so many members and samples, one a second: further members are copies of
those that do not write, with a server_uuid of their own; numbers that grew keep growing at the pace they had; every
sample has its process list and its tables of replication, as `advisor collect` takes them. Prints the bundle's size,
medians, processor time, and ratios to a bare Python and to one that adds up ten million numbers, which a busy machine
slows as much. The exit code is 1 above two seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from advisor.collect.bundle.bundle_files import pack
from advisor.collect.bundle.save import archive
from advisor.collect.gather import Gathered
from advisor.collect.member.cells import cells
from advisor.collect.member.process_list import counted
from advisor.collect.member.queries import When, queries_for
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.member.recording import Recording, release_of
from advisor.collect.targets import ClusterTarget
from advisor.evidence import read_path
from advisor.model.evidence import Cluster, Member, Row, Scalar
from advisor.model.server import Role

CHECKOUT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
MOST_SECONDS = 2.0
FORMS = ("text", "json", "html")
WRITING = (Role.PRIMARY, Role.SOURCE, Role.STANDALONE)
OF_DAY = 1e9  # larger moments are times of day


def stretched(cluster: Cluster, members: int, samples: int, tables_too: bool) -> Gathered:
    """The cluster with more members and samples. ValueError where nothing was read twice."""
    ready = sorted(cluster.members, key=lambda one: one.role not in WRITING)
    if any(len(one.samples) < 2 for one in ready):
        raise ValueError(f"{cluster.path}: every member must have been read twice")
    copied = ready[1:] or ready
    chosen = [*ready, *(copied[at % len(copied)] for at in range(members))][:members]
    recordings = tuple(recording(one, at, samples, tables_too) for at, one in enumerate(chosen))
    return Gathered(datetime.now(UTC), ReadingSchedule(samples, 1.0), recordings)


def recording(member: Member, number: int, samples: int, tables_too: bool) -> Recording:
    """One member as its reader would have left it."""
    first, last = member.samples[0], member.samples[-1]
    begin, end = tables_at(member, first.at_seconds), tables_at(member, last.at_seconds)
    variables = {name: str(fact.value) for name, fact in member.variables.items()}
    release = release_of(variables)
    assert release is not None
    every = {one.table for one in queries_for(release.family, release.version) if one.when is When.EVERY} | {
        "processlist"
    }
    span = last.at_seconds - first.at_seconds
    own = variables.get("server_uuid", "")
    renamed = own[:-4] + f"{number:04d}" if own else ""
    made = Recording(f"m{number + 1}", variables={**variables, **({"server_uuid": renamed} if own else {})})
    for at in range(samples):
        share, ends = at / span, at in (0, samples - 1)
        values = {name: str(between(value, last.values.get(name), share)) for name, value in first.values.items()}
        made.samples.append((float(at), values))
        names = [name for name in {**begin, **end} if ends or (name in every and name in begin)]
        tables = {
            name: rows_between(begin.get(name, ()), end.get(name, ()), share, own, renamed)
            for name in (names if tables_too else ())
        }
        made.tables.append((at + 0.01, tables))
    made.innodb_status = member.innodb_status
    made.host = {name: fact.value for name, fact in member.host.items()}
    return made


def tables_at(member: Member, moment: float) -> dict[str, list[Row]]:
    """The tables read nearest to a moment, process lists as they are packed."""
    timed = [one for one in member.tables if (one.at_seconds > OF_DAY) == (moment > OF_DAY)] or member.tables
    nearest = sorted(timed, key=lambda one: -abs(one.at_seconds - moment))
    found = {one.table: list(one.rows) for one in nearest}
    if any("count" not in row for row in found.get("processlist", ())):
        capital = [{key.capitalize(): value for key, value in row.items()} for row in found["processlist"]]
        found["processlist"] = counted(capital)
    return found


def rows_between(first: Sequence[Row], last: Sequence[Row], share: float, own: str, renamed: str) -> list[Row]:
    """Rows with numbers that go on growing, of a member that has another uuid."""
    rows: list[Row] = []
    for at, row in enumerate(first):
        later: Mapping[str, Scalar] = last[at] if at < len(last) else row
        grown = {name: between(value, later.get(name), share) for name, value in row.items()}
        rows.append(cells({name: renamed if own and value == own else value for name, value in grown.items()}))
    return rows


def between(first: Scalar, last: Scalar, share: float) -> Scalar:
    """A number at its pace; what is no number, or fell, as it was."""
    if type(first) is int and type(last) is int and last > first:
        return first + int((last - first) * share)
    return first


def whole(made: Recording) -> bytes:
    """All counters of every sample."""
    return json.dumps([{"at_seconds": at, "values": values} for at, values in made.samples]).encode()


def run(command: Sequence[str]) -> tuple[float, float]:
    """Seconds and processor seconds of a whole process; CalledProcessError when it fails."""
    before, begun = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=CHECKOUT, env=ENVIRONMENT)
    taken, after = time.perf_counter() - begun, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return taken, used


def commands(bundle: Path) -> Iterator[tuple[str, list[str]]]:
    """What is timed, by name."""
    yield "python -c pass", [sys.executable, "-c", "pass"]
    yield "ten million sums", [sys.executable, "-c", "n = 0\nfor one in range(10_000_000): n += one"]
    for form in FORMS:
        yield f"why --format {form}", [sys.executable, "-m", "advisor", "why", str(bundle), "--format", form]


def main() -> int:
    """Make the bundle, measure, print; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle")
    parser.add_argument("--members", type=int, default=9)
    parser.add_argument("--samples", type=int, default=600)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="where to leave the large bundle")
    parser.add_argument("--counters-only", action="store_true")
    asked = parser.parse_args()
    gathered = stretched(read_path(asked.bundle), asked.members, asked.samples, not asked.counters_only)
    files = pack(gathered, ClusterTarget(asked.bundle, "stretched", ()), redacted=False)
    if asked.counters_only:
        files |= {f"members/{one.name}/status.json": whole(one) for one in gathered.recordings}
    packed = archive(files)
    with tempfile.TemporaryDirectory() as folder:
        bundle = asked.keep or Path(folder) / "large.tar.gz"
        bundle.write_bytes(packed)
        print(f"{asked.members} members, {asked.samples} samples: {len(packed) / 1e6:.1f} MB packed")
        return show(bundle, asked.runs)


def show(bundle: Path, runs: int) -> int:
    """Time every form, `runs` times in turns after one run that warms the caches; 1 when one takes too long."""
    timed = dict(commands(bundle))
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in timed}
    for at in range(runs + 1):
        for name, command in timed.items():
            taken = run(command)
            if at:
                times[name].append(taken)
    bare, sums, *forms = [statistics.median(seconds for seconds, _ in taken) for taken in times.values()]
    for name, middle in zip(times, (bare, sums, *forms), strict=True):
        fastest, used = min(each for each, _ in times[name]), min(processor for _, processor in times[name])
        seconds = f"{middle:5.2f} s, fastest {fastest:5.2f} s, processor {used:5.2f} s"
        print(f"  {name:18} {seconds}, {middle / bare:5.0f} x bare, {middle / sums:5.2f} x the sums")
    print(f"the slowest form: {max(forms):.2f} s (aim {MOST_SECONDS:g} s)")
    return int(max(forms) > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
