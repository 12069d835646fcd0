"""Which lab does a cell of an experiment ask for? Its options are those of `advisor lab up`, without their dashes."""

from __future__ import annotations

from advisor.cli.lab.request import Words, build_request
from advisor.errors import InputError
from advisor.lab.up import LabRequest
from advisor.model.experiment import Cell, Experiment

_LISTS = ("set", "member-set", "member-cpus", "member-rtt", "faults")
_TEXTS = ("topology", "family", "server", "members", "durability", "workers", "acks", "wait-point", "multi-primary")
_LINKS = ("cpus", "rtt", "bandwidth", "disk")


def request_for(experiment: Experiment, cell: Cell, name: str) -> LabRequest:
    """The request for a cell's lab, called `name`; InputError for an option `lab up` does not have."""
    if strange := sorted(set(cell.lab) - {*_LISTS, *_TEXTS, *_LINKS}):
        hint = f"those of `advisor lab up`: {', '.join(sorted((*_LISTS, *_TEXTS, *_LINKS)))}"
        raise InputError(f"cell {cell.name}: unknown option {strange[0]!r}", file=experiment.file, hint=hint)
    texts = {key: str(cell.lab.get(key, "")) for key in (*_TEXTS, *_LINKS)}
    lists = {key: _list(cell.lab.get(key, ())) for key in _LISTS}
    for key in ("members", "workers", "acks"):
        if texts[key] and not texts[key].isdecimal():
            raise InputError(f"cell {cell.name}: {key}: {texts[key]!r} is no number", file=experiment.file)
    words = Words(
        topology=texts["topology"], name=name, members=int(texts["members"] or 0), server=texts["server"],
        mysql=texts["family"] == "mysql", mariadb=texts["family"] == "mariadb",
        settings=lists["set"], member_settings=lists["member-set"], cpus=texts["cpus"],
        member_cpus=lists["member-cpus"], rtt=texts["rtt"], member_rtt=lists["member-rtt"],
        bandwidth=texts["bandwidth"], disk=texts["disk"], durable=texts["durability"] == "durable",
        relaxed=texts["durability"] == "relaxed",
        options={
            "multi_primary": texts["multi-primary"] == "yes", "acks": int(texts["acks"] or 0),
            "wait_point": texts["wait-point"], "workers": int(texts["workers"] or 0),
        },
    )  # fmt: skip
    return build_request(words)


def faults_of(experiment: Experiment, cell: Cell) -> list[tuple[str, str, dict[str, str]]]:
    """Fault, member and strength of each `member:fault` or `member:fault:name=value,…`; InputError for other texts."""
    found = []
    for text in _list(cell.lab.get("faults", ())):
        member, _, rest = text.partition(":")
        fault, _, strengths = rest.partition(":")
        pairs = [item.partition("=") for item in strengths.split(",") if item]
        if not member.isdecimal() or not fault or not all(value for _, _, value in pairs):
            hint = "2:slow_disk or 2:slow_disk:writes_per_second=100; `advisor lab faults` lists them"
            raise InputError(f"cell {cell.name}: {text!r} is no fault of a member", file=experiment.file, hint=hint)
        found.append((fault, member, {name: value for name, _, value in pairs}))
    return found


def _list(value: str | tuple[str, ...]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
