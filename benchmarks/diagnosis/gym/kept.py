"""What is kept of a play? FOLDER/SIDE/PLAY.json with its result or error, and the bundle PLAY.tar.gz beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.why import diagnose
from benchmarks.diagnosis.gym.mechanisms import Play
from benchmarks.diagnosis.gym.play import PlayRun, digest_of
from benchmarks.diagnosis.observation import as_document

_TRIES: Final = 2
_REPORTS: Final = ("document", "offline")
_OF_A_CAUSE: Final = ("cause", "member", "confidence", "predicted_per_second")
_OF_A_PROFILE: Final = ("member", "group", "threads", "samples", "unexplained")


def bundle_of(keep: Path, play: Play) -> Path:
    """Where the bundle of a play is kept; the folder exists afterwards."""
    place = keep / play.side
    place.mkdir(parents=True, exist_ok=True)
    return place / f"{play.name}.tar.gz"


def kept_result(keep: Path, play: Play) -> dict[str, Any] | None:
    """The kept result, or error, of the mechanism as it is now; None when there is none."""
    try:
        data: dict[str, Any] = json.loads(_place(keep, play).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        raise InputError("damaged; delete it", file=str(_place(keep, play))) from None
    return data if data.get("digest") == digest_of(play.mechanism) else None


def is_wanted(keep: Path, play: Play) -> bool:
    """Whether it has no result yet, and has not failed twice."""
    kept = kept_result(keep, play)
    return kept is None or ("error" in kept and kept["tries"] < _TRIES)


def keep_run(keep: Path, play: Play, done: PlayRun) -> None:
    """Keep the result of a play."""
    _write(keep, play, {**vars(done)})


def keep_error(keep: Path, play: Play, message: str) -> None:
    """Keep why a play failed, and how often."""
    before = kept_result(keep, play) or {}
    _write(keep, play, {
        "play": play.name, "digest": digest_of(play.mechanism), "error": message, "tries": before.get("tries", 0) + 1,
    })  # fmt: skip


def judged_again(keep: Path, play: Play) -> dict[str, Any] | None:
    """The kept result with what the rules of today say of its bundle as "again"; None when there is none."""
    kept = kept_result(keep, play)
    if kept is None or "error" in kept:
        return kept
    return {**kept, "again": as_document(diagnose(read_path(str(bundle_of(keep, play)))))}


def _essence(document: Mapping[str, Any]) -> dict[str, Any]:
    """What the score reads of a report; the rest can be had from the bundle again."""
    causes = [{name: one.get(name) for name in _OF_A_CAUSE} for one in document["causes"]]
    profile = [{name: one[name] for name in _OF_A_PROFILE} for one in document.get("profile") or ()]
    return {"causes": causes, "profile": profile}


def _write(keep: Path, play: Play, data: dict[str, Any]) -> None:
    data = {name: _essence(value) if name in _REPORTS and value else value for name, value in data.items()}
    place = _place(keep, play)
    new = place.with_suffix(".new")
    new.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    new.replace(place)


def _place(keep: Path, play: Play) -> Path:
    return bundle_of(keep, play).with_name(f"{play.name}.json")
