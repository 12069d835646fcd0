"""How can the user get the evidence that rules lacked? As commands to paste."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.annotations import Final
from advisor.model.record import record
from advisor.model.rules import Finding

MOST_NAMES: Final = 3
_EXAMPLES: Final = {"cpus": "cpus=16", "memory_bytes": "memory=64G", "storage": "storage=nvme"}


@record
class Way:
    """A command or an option; `files` are those it creates, to be given with the others and --together."""

    text: str
    files: tuple[str, ...] = ()


# By the beginning of a name; "" stands for a system variable. {names}: what is missing, without the prefix.
_SERVER: Final = Way("--server with a point release that is covered, e.g. --server mysql-8.0.36")
_OPTION_FILE: Final = Way("my.cnf: the server's option file", ("my.cnf",))
_RATES: Final = Way("mysqladmin -i 60 -c 2 extended-status > status.txt", ("status.txt",))
_LONGER: Final = Way("--for 60s: read the running cluster for that long")
_WAYS: Final = {
    "host.": Way("--host {host}"),
    "role": Way("--role source|replica|primary|secondary|node"),
    "topology": Way("--topology group_replication|galera|semisync|async_mysql|async_mariadb|standalone"),
    "version": _SERVER,
    "family": _SERVER,
    "vendor": _SERVER,
    "option_file": _OPTION_FILE,
    "configured.": _OPTION_FILE,
    "rate.": _RATES,
    "delta.": _RATES,
    "status.": Way("mysqladmin extended-status > status.txt", ("status.txt",)),
    "replica.": Way("mysql -e 'SHOW REPLICA STATUS\\G' > replica.txt (SLAVE before 8.0.22)", ("replica.txt",)),
    "observed.": Way("observations.yaml: {names}, as you measured it", ("observations.yaml",)),
    "source.": Way("--members source.cnf replica.cnf: give the replica's source too"),
    "fact.": Way("the inputs of {names}"),
    "innodb_status": Way("mysql -e 'SHOW ENGINE INNODB STATUS\\G' > innodb.txt", ("innodb.txt",)),
    "innodb_metrics": Way("a bundle with two readings of information_schema.innodb_metrics, with module_log enabled"),
    "group.": Way("mysql -D performance_schema -e '{tables}' > group.txt", ("group.txt",)),
    "": Way("mysql -e 'SHOW GLOBAL VARIABLES' > variables.txt", ("variables.txt",)),
}


@record
class Need:
    """One way to more evidence, the names that are missing, and the rules that lack them."""

    way: Way
    names: tuple[str, ...]
    rules: tuple[str, ...]


def way_to(name: str) -> str:
    """The command or option that gives the name a value."""
    way = _filled(_way(name), [name])
    return f"{way.text}; then also give {' '.join(way.files)}, with --together" if way.files else way.text


def needs(findings: Iterable[Finding], *, running: bool = False) -> list[Need]:
    """Unknown verdicts by the way to their evidence, most rules first. Two readings of counters include one.

    `running`: the evidence is of a running cluster, which can be read for longer.
    """
    groups: dict[Way, tuple[dict[str, None], dict[str, None]]] = {}
    for finding in findings:
        for name in finding.missing:
            way = _way(name)
            names, rules = groups.setdefault(_LONGER if running and way is _RATES else way, ({}, {}))
            names[name] = rules[finding.rule.id] = None
    if _RATES in groups and (single := groups.pop(_WAYS["status."], None)):
        for more, all_of_them in zip(single, groups[_RATES], strict=True):
            all_of_them.update(more)
    ways = [Need(_filled(way, list(names)), tuple(names), tuple(rules)) for way, (names, rules) in groups.items()]
    return sorted(ways, key=lambda need: -len(need.rules))


def _way(name: str) -> Way:
    head, dot, _ = name.partition(".")
    return _WAYS.get(head + dot, _WAYS[""])


def _filled(way: Way, names: Sequence[str]) -> Way:
    """The way with the names filled in: the first few of many; of host facts those that people know by heart."""
    plain = [name.partition(".")[2] or name for name in names]
    some = plain if len(plain) <= MOST_NAMES else [*plain[: MOST_NAMES - 1], f"{len(plain) - MOST_NAMES + 1} more"]
    host = [example for name, example in _EXAMPLES.items() if name in plain] or [f"{name}=…" for name in plain[:2]]
    text = way.text.format(
        names=", ".join(some), host=",".join(host), tables="; ".join(f"SELECT * FROM {name}" for name in plain)
    )
    return Way(text, way.files)
