"""Which mechanisms are there to be played? mechanisms/open/*.yaml and locked/*.yaml; README.md there is the format.

A file is one mechanism; `strengths` makes one of each of its entries. A play is a mechanism on one of its labs.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from advisor.bench.load.mix import read_mix
from advisor.data import read_yaml
from advisor.errors import InputError
from advisor.model.record import field, record, replace
from advisor.why.rules.loader import load_causes
from benchmarks.diagnosis.gym.actions import Action, Traffic, read_action
from benchmarks.diagnosis.gym.entry import Entry
from benchmarks.diagnosis.gym.labs import load_labs
from benchmarks.diagnosis.scenarios import LabSpec

FOLDER: Final = Path(__file__).parents[1] / "mechanisms"
SIDES: Final = ("open", "locked")
_EFFECTS: Final = ("", "committed", "applied")
_KEYS: Final = (
    *("what", "labs", "load", "make", "strengths", "causes", "accepted", "effect", "take_away", "also", "both"),
    "source",
)
_LOAD: Final = (
    *("threads", "writers", "rate", "prepare", "transactions", "ignore_errors"),
    *("workload", "options", "tables", "rows"),
)
_VALUE: Final = re.compile(r"\$([a-z_]+)")


@record
class ClientLoad:
    """The clients whose rate counts: a shipped workload, or transactions of their own (data of a mix)."""

    threads: int
    writers: tuple[str, ...]
    rate_per_second: float
    workload: str
    options: Mapping[str, str]
    tables: int
    rows_per_table: int
    prepare: tuple[str, ...]
    transactions: tuple[Any, ...]
    ignored_errors: tuple[str, ...]


@record
class Mechanism:
    """What is done to a cluster under which load, and the answer that is right.

    `asked` are groups of labels: the first answer must be of one of them, and the play of several groups is known when
    each has an answer among the first three; () for a healthy cluster. `taken_away`: positions in `make`.
    """

    name: str
    what: str
    labs: tuple[str, ...]
    load: ClientLoad | None
    make: tuple[Action, ...]
    asked: tuple[tuple[str, ...], ...]
    accepted: tuple[str, ...] = ()
    effect: str = ""
    taken_away: tuple[int, ...] = ()
    also: str = ""
    prepare_also: tuple[str, ...] = field(default_factory=tuple)

    @property
    def causes(self) -> tuple[str, ...]:
        """Every label that is right as the first answer."""
        return tuple(cause for group in self.asked for cause in group)

    @property
    def healthy(self) -> bool:
        """Whether nothing limits the clients."""
        return not self.asked


@record
class Play:
    """A mechanism on a lab."""

    mechanism: Mechanism
    lab: LabSpec
    side: str

    @property
    def name(self) -> str:
        """Its name, also that of its kept files."""
        return f"{self.mechanism.name}@{self.lab.name}"


def load_plays(side: str, folder: Path = FOLDER) -> tuple[list[Play], list[InputError]]:
    """Every play of a side, those of one lab together; and what is wrong with files that cannot be played."""
    found: dict[str, list[Mechanism]] = {}
    wrong: list[InputError] = []
    for file in sorted((folder / side).glob("*.yaml")):
        try:
            found[file.stem] = list(read_mechanism(file))
        except InputError as error:
            wrong.append(error)
    plays = []
    labs = load_labs()
    for stem, mechanisms in found.items():
        try:
            joined = [_joined(one, found, folder / side / f"{stem}.yaml") for one in mechanisms]
            plays += [Play(one, labs[name], side) for one in joined for name in one.labs]
        except InputError as error:
            wrong.append(error)
    return sorted(plays, key=lambda play: (play.lab.name, play.name)), wrong


def read_mechanism(file: Path) -> Iterator[Mechanism]:
    """The mechanisms of a file, one for each strength; InputError with file, line and key."""
    entry = Entry(read_yaml(file), file).keyed(_KEYS, ("what", "labs", "causes"))
    strengths = [each.values() for each in entry.at("strengths").entries()]
    for number, values in enumerate(strengths or [{}], 1):
        name = f"{file.stem}-{number}" if strengths else file.stem
        mechanism = _mechanism(replace(entry, data=_filled(entry.data, values)), name)
        _check(mechanism, entry)
        yield mechanism


def _mechanism(entry: Entry, name: str) -> Mechanism:
    make = tuple(map(read_action, entry.at("make").entries()))
    causes = entry.at("causes").texts()
    return Mechanism(
        name=name,
        what=entry.at("what").text(),
        labs=entry.at("labs").texts(),
        load=_load(entry.at("load")),
        make=make,
        asked=tuple((cause,) for cause in causes) if entry.at("both").yes() else (causes,) if causes else (),
        accepted=entry.at("accepted").texts(),
        effect=entry.at("effect").word(_EFFECTS, ""),
        taken_away=_positions(entry.at("take_away"), len(make)),
        also=entry.at("also").text(""),
    )


def _load(entry: Entry) -> ClientLoad | None:
    if not entry.data:
        return None
    entry.keyed(_LOAD, ("threads",))
    transactions = tuple(entry.at("transactions").data or ())
    workload = entry.at("workload").text("")
    if bool(transactions) == bool(workload):
        entry.refuse("give either `transactions` or a `workload`")
    load = ClientLoad(
        threads=entry.at("threads").whole(least=1),
        writers=entry.at("writers").texts() or ("m1",),
        rate_per_second=entry.at("rate").number(0.0),
        workload=workload,
        options=entry.at("options").values(),
        tables=entry.at("tables").whole(4, least=1),
        rows_per_table=entry.at("rows").whole(10_000, least=1),
        prepare=entry.at("prepare").texts(),
        transactions=transactions,
        ignored_errors=entry.at("ignore_errors").texts(),
    )
    if transactions:
        _check_mix(load, entry)
    return load


def mix_text(load: ClientLoad) -> str:
    """Its transactions as the file of a mix (JSON is YAML)."""
    data = {"format": "1", "transactions": load.transactions, "ignore_errors": load.ignored_errors}
    return json.dumps(data, ensure_ascii=False)


def _check_mix(load: ClientLoad, entry: Entry) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        file.write(mix_text(load))
        file.flush()
        try:
            read_mix(file.name)
        except InputError as error:
            entry.at("transactions").refuse(error.message, error.hint)


def _positions(entry: Entry, count: int) -> tuple[int, ...]:
    if entry.data in (None, "", "all"):
        return tuple(range(count))
    places = tuple(item.whole() for item in entry.entries())
    if any(place >= count for place in places) or not places:
        entry.refuse(f"positions in `make`, from 0 to {count - 1}, or all")
    return places


def _check(mechanism: Mechanism, entry: Entry) -> None:
    """What the file names must be there."""
    known = {cause.id for cause in load_causes()}
    for key in ("causes", "accepted"):
        for item in entry.at(key).entries():
            if not item.text().startswith("$") and item.text() not in known:
                item.refuse(f"there is no cause {item.text()!r}")
    if not mechanism.labs:
        entry.at("labs").refuse("no lab is named")
    if mechanism.effect and not mechanism.load:
        entry.at("effect").refuse("no rate can rise without a load")
    for place, name in enumerate(mechanism.labs):
        _check_lab(mechanism, name, entry, entry.at("labs").at(place))


def _check_lab(mechanism: Mechanism, name: str, entry: Entry, named: Entry) -> None:
    lab = load_labs().get(name)
    if lab is None:
        named.refuse(f"there is no lab {name!r}", f"labs: {', '.join(load_labs())}")
    members = {f"m{number}" for number in range(1, lab.members + 1)}
    if mechanism.load and (strange := set(mechanism.load.writers) - members):
        entry.at("load").at("writers").refuse(f"{name} has no member {min(strange)!r}")
    for place, action in enumerate(mechanism.make):
        if strange := set(action.members) - members:
            entry.at("make").at(place).refuse(f"{name} has no member {min(strange)!r}")
        if isinstance(action, Traffic) and lab.rtt_ms is None:
            entry.at("make").at(place).refuse(f"the members of {name} have no network of their own")


def _joined(one: Mechanism, all_of_side: Mapping[str, list[Mechanism]], file: Path) -> Mechanism:
    """With what another mechanism does as well, and its labels; the load is its own."""
    if not one.also:
        return one
    others = all_of_side.get(one.also) or [m for group in all_of_side.values() for m in group if m.name == one.also]
    entry = Entry(read_yaml(file), file)
    if not others:
        entry.at("also").refuse(f"there is no mechanism {one.also!r} on this side")
    other = others[0]
    whole = replace(one, make=(*one.make, *other.make), also="")
    for name in one.labs:
        _check_lab(whole, name, entry, entry.at("also"))
    taken = (*one.taken_away, *(place + len(one.make) for place in other.taken_away))
    prepare = tuple(text for text in (other.load.prepare if other.load else ()) if text not in _prepare(one))
    return replace(
        one, make=whole.make, taken_away=taken, asked=(*one.asked, *other.asked), prepare_also=prepare,
        accepted=(*one.accepted, *other.accepted),
    )  # fmt: skip


def _prepare(one: Mechanism) -> tuple[str, ...]:
    return one.load.prepare if one.load else ()


def _filled(data: Any, values: Mapping[str, str]) -> Any:
    """The data with `$name`, also within a text, replaced by what a strength says."""
    if isinstance(data, dict):
        return {key: _filled(value, values) for key, value in data.items() if key != "strengths"}
    if isinstance(data, list):
        return [_filled(value, values) for value in data]
    return _VALUE.sub(lambda found: values.get(found[1], found[0]), data) if isinstance(data, str) else data
