"""Which lab does a cell of an experiment define? Its options are those of `advisor lab up`, without the dashes."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.cli.lab import parsers
from advisor.cli.lab.request import LabCommandLine, build_request
from advisor.errors import InputError
from advisor.lab.up import LabRequest
from advisor.model.experiment import Cell, Experiment
from advisor.model.record import record

_LISTS = ("set", "member-set", "member-cpus", "member-rtt", "faults")
_TEXTS = ("topology", "family", "server", "members", "durability", "workers", "acks", "wait-point", "multi-primary")
_LINKS = ("cpus", "rtt", "bandwidth", "disk")


@record
class CellFault:
    """A fault of one member, counted from 1, with its parameters."""

    name: str
    member: str
    strength: Mapping[str, str]


def request_for(experiment: Experiment, cell: Cell, name: str) -> LabRequest:
    """The request for a cell's lab, called `name`; InputError for an option `lab up` does not have."""
    if unknown := sorted(set(cell.lab) - {*_LISTS, *_TEXTS, *_LINKS}):
        hint = f"options as for `advisor lab up`: {', '.join(sorted((*_LISTS, *_TEXTS, *_LINKS)))}"
        raise InputError(f"cell {cell.name}: unknown option {unknown[0]!r}", file=experiment.file, hint=hint)
    texts = {key: str(cell.lab.get(key, "")) for key in (*_TEXTS, *_LINKS)}
    lists = {key: _list(cell.lab.get(key, ())) for key in _LISTS}
    for key in ("members", "workers", "acks"):
        if texts[key] and not texts[key].isdecimal():
            raise InputError(f"cell {cell.name}: {key}: {texts[key]!r} is not a number", file=experiment.file)
    line = LabCommandLine(
        topology=texts["topology"],
        name=name,
        members=int(texts["members"] or 0),
        server=texts["server"],
        mysql=texts["family"] == "mysql",
        mariadb=texts["family"] == "mariadb",
        settings=[parsers.parse_setting(text) for text in lists["set"]],
        member_settings=[parsers.parse_member_setting(text) for text in lists["member-set"]],
        cpus=parsers.parse_cpus(texts["cpus"]) if texts["cpus"] else None,
        member_cpus=[parsers.parse_member_cpus(text) for text in lists["member-cpus"]],
        rtt_ms=parsers.parse_rtt(texts["rtt"]) if texts["rtt"] else None,
        member_rtt_ms=[parsers.parse_member_rtt(text) for text in lists["member-rtt"]],
        bits_per_second=parsers.parse_bandwidth(texts["bandwidth"]) if texts["bandwidth"] else None,
        disk_bytes=parsers.parse_disk(texts["disk"]) if texts["disk"] else None,
        durable=texts["durability"] == "durable",
        relaxed=texts["durability"] == "relaxed",
        options=_topology_options(texts),
    )
    return build_request(line)


def _topology_options(texts: Mapping[str, str]) -> dict[str, object]:
    return {
        "multi_primary": texts["multi-primary"] == "yes",
        "acks": int(texts["acks"] or 0),
        "wait_point": texts["wait-point"],
        "workers": int(texts["workers"] or 0),
    }


def faults_of(experiment: Experiment, cell: Cell) -> list[CellFault]:
    """Each `member:fault` or `member:fault:name=value,…`; InputError for other texts."""
    faults = []
    for text in _list(cell.lab.get("faults", ())):
        member, _, rest = text.partition(":")
        fault, _, strengths = rest.partition(":")
        pairs = [item.partition("=") for item in strengths.split(",") if item]
        if not member.isdecimal() or not fault or not all(value for _, _, value in pairs):
            hint = "e.g. 2:slow_disk or 2:slow_disk:writes_per_second=100; `advisor lab faults` lists the faults"
            raise InputError(
                f"cell {cell.name}: {text!r} does not name a member and a fault", file=experiment.file, hint=hint
            )
        faults.append(CellFault(fault, member, {name: value for name, _, value in pairs}))
    return faults


def _list(value: str | tuple[str, ...]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
