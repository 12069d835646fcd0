"""Which clusters with a known bottleneck are there? Reads scenarios/*.yaml: a lab, and what is done to it.

A file is one lab. `strengths` makes a scenario of each of its entries: `$name` stands for its values. `causes` are the
labels of what was injected: the first answer must be one of them, () for a healthy cluster. `effect` names what is
measured when `cures` is set (member → name → value), or the faults that `removes` names, or all that was done, is taken
back: `committed` by the writer, `sustained` (that while no backlog grows), `applied` by the slowest member, "" where
nothing of the kind is the cure.
`no_setting`: what cures it is no setting but, say, a shorter way. `short`: its first strength is a test as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from advisor.cli.lab.parsers import parse_setting
from advisor.data import read_yaml
from advisor.errors import InputError
from advisor.model.measurement import Load
from advisor.model.record import field, record
from advisor.model.server import Family

FOLDER: Final = Path(__file__).parent / "scenarios"
_LAB: Final = ("topology", "family", "members", "durability", "options", "rtt_ms", "settings")
_SCENARIO: Final = (
    *("name", "what", "faults", "settings", "load", "strengths", "short"),
    *("causes", "accepted", "effect", "removes", "cures", "no_setting"),
)
_OPTIONS: Final[Mapping[str, type]] = {"workers": int, "acks": int, "wait_point": str, "multi_primary": bool}
_EFFECTS: Final = ("", "committed", "applied", "sustained")


@record
class LabSpec:
    """The lab that the scenarios of one file share; `rtt_ms` None: no network of its own."""

    name: str
    topology: str
    family: Family
    members: int
    durability: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    rtt_ms: float | None = None
    settings: tuple[tuple[str, str], ...] = ()


@record
class Injection:
    """A fault of `advisor lab fault`, on a member."""

    fault: str
    member: str
    strength: Mapping[str, str] = field(default_factory=dict)


@record
class Scenario:
    """What is done to the lab, and the answer that is right. `settings`: member → name → value."""

    name: str
    lab: LabSpec
    what: str
    causes: tuple[str, ...]
    accepted: tuple[str, ...]
    load: Load | None
    faults: tuple[Injection, ...] = ()
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    effect: str = ""
    removes: tuple[str, ...] = ()
    cures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    no_setting: bool = False
    short: bool = False

    @property
    def healthy(self) -> bool:
        """Whether no bottleneck was injected."""
        return not self.causes

    @property
    def counted(self) -> str:
        """Which rate the effect is about."""
        return counted_of(self.effect)


def counted_of(effect: str) -> str:
    """The rate that an effect is about: what is sustained is committed."""
    return "committed" if effect == "sustained" else effect


def load_scenarios(folder: Path = FOLDER) -> list[Scenario]:
    """Every scenario, those of one lab together; InputError for a file that is wrong."""
    scenarios: list[Scenario] = []
    for file in sorted(folder.glob("*.yaml")):
        scenarios += _read(file)
    names = [scenario.name for scenario in scenarios]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two scenarios are called {twice[0]}", file=str(folder))
    return scenarios


def _read(file: Path) -> Iterator[Scenario]:
    data: Any = read_yaml(file)
    lab = data["lab"]
    _refuse(lab, _LAB, file)
    lab_spec = LabSpec(
        name=file.stem,
        topology=lab["topology"],
        family=Family(lab["family"]),
        members=int(lab["members"]),
        durability=lab.get("durability", ""),
        options={name: _option(name, text) for name, text in (lab.get("options") or {}).items()},
        rtt_ms=float(lab["rtt_ms"]) if "rtt_ms" in lab else None,
        settings=tuple(parse_setting(text) for text in lab.get("settings", ())),
    )
    for entry in data["scenarios"]:
        _refuse(entry, _SCENARIO, file)
        if entry.get("effect", "") not in _EFFECTS:
            raise InputError(f"effect: {entry['effect']!r} is not committed, applied or sustained", file=str(file))
        for number, values in enumerate(entry.get("strengths") or [{}], 1):
            yield _scenario(_filled(entry, values), lab_spec, f"-{number}" if values else "")


def _scenario(entry: Mapping[str, Any], lab: LabSpec, ending: str) -> Scenario:
    return Scenario(
        name=f"{lab.name}/{entry['name']}{ending}",
        lab=lab,
        what=entry["what"],
        causes=tuple(entry.get("causes", ())),
        accepted=tuple(entry.get("accepted", ())),
        load=_load(entry["load"]) if entry.get("load") else None,
        faults=tuple(Injection(f["fault"], f["member"], f.get("strength") or {}) for f in entry.get("faults", ())),
        settings=entry.get("settings") or {},
        effect=entry.get("effect", ""),
        removes=tuple(entry.get("removes", ())),
        cures=entry.get("cures") or {},
        no_setting=entry.get("no_setting") == "yes",
        short=entry.get("short") == "yes" and ending in ("", "-1"),
    )  # fmt: skip


def _load(data: Mapping[str, Any]) -> Load:
    return Load(
        workload=data["workload"],
        threads=int(data["threads"]),
        writers=tuple(data.get("writers", ("m1",))),
        rate_per_second=float(data.get("rate", 0)),
        tables=int(data.get("tables", 4)),
        rows_per_table=int(data.get("rows", 10_000)),
        settings=data.get("options") or {},
    )


def _filled(data: Any, values: Mapping[str, str]) -> Any:
    """The data with `$name` replaced by what a strength says."""
    if isinstance(data, dict):
        return {key: _filled(value, values) for key, value in data.items() if key != "strengths"}
    if isinstance(data, list):
        return [_filled(value, values) for value in data]
    return values.get(data[1:], data) if isinstance(data, str) and data.startswith("$") else data


def _option(name: str, text: str) -> object:
    kind = _OPTIONS[name]
    return text == "yes" if kind is bool else kind(text)


def _refuse(data: Mapping[str, Any], known: tuple[str, ...], file: Path) -> None:
    if strange := [key for key in data if key not in known]:
        raise InputError(f"{strange[0]!r} means nothing here", file=str(file), hint=", ".join(known))
