"""Which files make up a bundle, and what is in them? Names → bytes, for an archive or to be read back at once.

Counters that did not change are written in the first and the last sample only; most do not change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from advisor import __version__
from advisor.collect.bundle.bundle_format import FORMAT, Lacking, StatedMember, Statement, Unread
from advisor.collect.gather import Gathered
from advisor.collect.member.recording import Recording
from advisor.collect.targets import ClusterTarget
from advisor.model.evidence import Row

_RESTARTS = "Uptime"
_ASKED = {
    "variables.json": "SHOW GLOBAL VARIABLES",
    "status.json": "SHOW GLOBAL STATUS",
    "replication.json": "its tables",
    "innodb_status.txt": "SHOW ENGINE INNODB STATUS",
    "host.json": "its machine",
}


def pack(gathered: Gathered, target: ClusterTarget, *, redacted: bool) -> dict[str, bytes]:
    """Every file of the cluster's bundle; topology and roles are left to the evidence."""
    files: dict[str, bytes] = {}
    read = [recording for recording in gathered.recordings if recording.reached]
    for recording in read:
        for name, data in _member_files(recording).items():
            files[f"members/{recording.name}/{name}"] = data
    many = any(len(recording.samples) > 1 for recording in read)
    statement = Statement(
        format=FORMAT,
        created=gathered.began.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        collector=f"advisor {__version__}",
        cluster=target.name,
        topology="",
        members=[_stated(recording) for recording in read],
        interval_seconds=gathered.schedule.every_seconds if many else None,
        redacted=redacted,
        interrupted=gathered.interrupted,
        lacks=_lacks(read),
        unread=_unread(gathered.recordings) + [Unread([], problem) for problem in target.problems],
    )
    return {"bundle.json": _json(asdict(statement)), **files}


def live_labels(recordings: Iterable[Recording]) -> dict[str, str]:
    """What facts call a file when no bundle is written: the statement, or the option file on the member's disk."""
    labels = {}
    for recording in recordings:
        folder = f"members/{recording.name}"
        for file, asked in _ASKED.items():
            labels[f"{folder}/{file}"] = f"{recording.name}: {asked}"
        for name, path in _option_file_names(recording).items():
            labels[f"{folder}/{name}"] = path
    return labels


def _stated(recording: Recording) -> StatedMember:
    clock = recording.clock
    if clock is None:
        return StatedMember(recording.name)
    return StatedMember(
        recording.name,
        clock_ahead_seconds=round(clock.ahead_seconds, 6),
        clock_within_seconds=round(clock.within_seconds, 6),
        round_trip_ms=round(2000 * clock.within_seconds, 3),
    )


def _lacks(read: Iterable[Recording]) -> list[Lacking]:
    """Each lack once, with the members that share it."""
    members_by_lack: dict[tuple[str, str, str], list[str]] = {}
    for recording in read:
        for lack in recording.lacks:
            members_by_lack.setdefault((lack.what, lack.why, lack.command), []).append(recording.name)
    return [Lacking(members, *lack) for lack, members in members_by_lack.items()]


def _unread(recordings: Iterable[Recording]) -> list[Unread]:
    return [Unread([recording.name], recording.failure) for recording in recordings if recording.failure]


def _member_files(recording: Recording) -> dict[str, bytes]:
    files = {"variables.json": _json(recording.variables)}
    if recording.samples:
        files["status.json"] = _json(_moments(thinned(recording.samples), "values"))
    if recording.once or recording.tables:
        once = [(recording.tables[0][0] if recording.tables else 0.0, recording.once)]
        files["replication.json"] = _json(_moments([*once, *recording.tables], "tables"))
    if recording.innodb_status:
        files["innodb_status.txt"] = recording.innodb_status.strip("\n").encode() + b"\n"
    if recording.host:
        files["host.json"] = _json(recording.host)
    for name, path in _option_file_names(recording).items():
        files[name] = recording.option_files[path].encode("utf-8", "surrogateescape")
    return files


def _option_file_names(recording: Recording) -> dict[str, str]:
    """The bundle's names of the server's option files; the first is the one the server was started with."""
    return {path.lstrip("/") if number else "my.cnf": path for number, path in enumerate(recording.option_files)}


def thinned(samples: Sequence[tuple[float, Mapping[str, str]]]) -> Sequence[tuple[float, Mapping[str, str]]]:
    """Samples without the counters that never changed, except in the first and last; unchanged after a restart."""
    uptimes = [int(values.get(_RESTARTS, 0)) for _, values in samples]
    if len(samples) < 3 or uptimes != sorted(uptimes):
        return samples
    first = samples[0][1]
    changed = {
        name for _, values in samples[1:] for name, value in values.items() if first.get(name) != value
    } | {_RESTARTS}  # fmt: skip
    inner = [
        (at, {name: value for name, value in values.items() if name in changed or name not in first})
        for at, values in samples[1:-1]
    ]
    return [samples[0], *inner, samples[-1]]


def _moments(
    moments: Sequence[tuple[float, Mapping[str, str] | Mapping[str, Sequence[Row]]]], key: str
) -> list[dict[str, object]]:
    return [{"at_seconds": round(at, 3), key: content} for at, content in moments if content]


def _json(content: object) -> bytes:
    """One entry of a list, and one value of an object, per line: small, and still readable by `diff` and `grep`."""
    if isinstance(content, list):
        return ("[\n" + ",\n".join(_line(entry) for entry in content) + "\n]\n").encode()
    if isinstance(content, Mapping):
        lines = (f"{_line(str(name))}: {_line(value)}" for name, value in content.items())
        return ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    return _line(content).encode()


def _line(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)
