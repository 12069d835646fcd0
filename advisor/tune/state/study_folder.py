"""Where are the files of tuning one cluster? In a folder for each, found again from its members' addresses.

`journal.jsonl` says what was changed, `lock` which program tunes it, `stop` that this one shall end. Each study has
its own folder, named by when it began.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from advisor.atomic_write import write_file
from advisor.bench.measure.host import HERE
from advisor.errors import InputError, UsageError
from advisor.lab import folders
from advisor.model.lab import ClusterFile
from advisor.model.workload.fidelity import Fidelity, read_fidelity

_REQUEST: Final = "request.json"
_CLONE: Final = "clone"
_FIDELITY: Final = "fidelity.json"
_STAMP: Final = "%Y%m%d-%H%M%S"


def folder_of(cluster: ClusterFile) -> Path:
    """The folder of a cluster, created if it is missing; it does not depend on the cluster's name.

    Labs reuse ports: what an earlier lab left unfinished does not belong to this one.
    """
    members = sorted(f"{_host(member.host)}:{member.port}" for member in cluster.members)
    mark = _mark([*members, cluster.made] if cluster.made else members)
    name = re.sub(r"[^a-z0-9]+", "-", cluster.name.lower()).strip("-")
    known = [place for place in _all() if place.name.endswith(mark)]
    place = known[0] if known else folders.home() / "tune" / f"{name}-{mark}"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return place


def _all() -> list[Path]:
    top = folders.home() / "tune"
    return sorted(place for place in top.iterdir() if place.is_dir()) if top.is_dir() else []


def _mark(members: list[str]) -> str:
    return hashlib.sha256(",".join(members).encode()).hexdigest()[:10]


def _host(host: str) -> str:
    return f"{os.uname().nodename}" if host in HERE else host.lower()


def journal_path(folder: Path) -> Path:
    """The journal of what was changed."""
    return folder / "journal.jsonl"


def stop_path(folder: Path) -> Path:
    """The file that ends a tuning run after its current trial, even one that has no study yet."""
    return folder / "stop"


def new_study(folder: Path, request: Mapping[str, Any]) -> Path:
    """A folder for a study, with its request."""
    stamp = time.strftime(_STAMP)
    place = folder / stamp
    number = 1
    while place.exists():
        number += 1
        place = folder / f"{stamp}-{number}"
    place.mkdir(mode=0o700)
    write_file(place / _REQUEST, json.dumps(dict(request), indent=1))
    return place


def began_at(study: Path) -> str:
    """When a study was begun, local time, as its folder says: "2026-11-21 22:00:03"."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.strptime(study.name[:15], _STAMP))


def clone_of(folder: Path, cluster: str) -> str:
    """The id of a cluster in shared studies; it is kept, as two clusters may have the same name."""
    file = folder / _CLONE
    if not file.exists():
        write_file(file, f"{cluster} {secrets.token_hex(3)}\n")
    return file.read_text(encoding="utf-8").strip()


def last_study(folder: Path) -> Path:
    """The folder of the study begun last; UsageError when there is none."""
    studies = sorted(place for place in folder.iterdir() if (place / _REQUEST).is_file())
    if not studies:
        raise UsageError("this cluster was never tuned", hint="advisor tune --lab NAME --trials 20")
    return studies[-1]


def request_of(study: Path) -> dict[str, Any]:
    """The request of a study; InputError when it cannot be read."""
    try:
        data = json.loads((study / _REQUEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise InputError("cannot be read", file=str(study / _REQUEST)) from None
    if not isinstance(data, dict):
        raise InputError("not a request", file=str(study / _REQUEST))
    return data


def kept_fidelity(study: Path, found: Fidelity | None) -> Fidelity | None:
    """How much the load of a study resembles the one it was made from: as just measured, which is kept, or as kept."""
    path = study / _FIDELITY
    if found:
        data = {"score": found.score, "figures": [vars(figure) for figure in found.figures]}
        write_file(path, json.dumps(data, indent=2) + "\n")
        return found
    try:
        return read_fidelity(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return None
