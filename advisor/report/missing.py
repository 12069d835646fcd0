"""How does one come by the evidence that rules lacked?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from advisor.model.rules import Finding

_EXAMPLES: Final = {"cpus": "cpus=16", "memory_bytes": "memory=64G", "storage": "storage=nvme"}
MOST_NAMES: Final = 4
# By the beginning of a name; "" stands for a system variable. {names}: what is missing, without the prefix.
_WAYS: Final = {
    "host.": "--host {host}",
    "role": "--role source|replica|primary|secondary|node",
    "topology": "--topology group_replication|galera|semisync|async_mysql|async_mariadb|standalone",
    "version": "--server with the point release, as in --server mysql-8.0.36",
    "family": "--server, as in --server mysql-8.0.36 or --server mariadb-10.11.9",
    "vendor": "--server, as in --server percona-8.0.36 or --server pxc-8.0.36",
    "option_file": "my.cnf variables.txt --together: the server's option file",
    "rate.": "my.cnf status-1.txt status-2.txt --together: SHOW GLOBAL STATUS twice, a minute apart",
    "status.": "my.cnf status.txt --together: SHOW GLOBAL STATUS",
    "replica.": "my.cnf replica.txt --together: SHOW REPLICA STATUS\\G (older: SHOW SLAVE STATUS\\G)",
    "observed.": "observations.yaml in a bundle, with {names}",
    "source.": "the files of the replica's source, in one bundle with the replica's",
    "fact.": "my.cnf variables.txt status.txt --together: what {names} can be derived from",
    "group.": "my.cnf group.txt --together: SELECT * FROM performance_schema.{names}",
    "": "my.cnf variables.txt --together: SHOW GLOBAL VARIABLES",
}


def way_to(name: str) -> str:
    """What to say on the command line, or to collect, so that the name becomes known."""
    return _way(_kind(name), [name])


def group_missing(findings: Iterable[Finding]) -> list[tuple[str, list[str], list[str]]]:
    """Unknown verdicts by the way to the evidence: (way, missing names, rule ids), most rules first."""
    groups: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for finding in findings:
        for name in finding.missing:
            names, rules = groups.setdefault(_kind(name), ({}, {}))
            names[name] = rules[finding.rule.id] = None
    told = [(_way(kind, list(names)), list(names), list(rules)) for kind, (names, rules) in groups.items()]
    return sorted(told, key=lambda group: -len(group[2]))


def _kind(name: str) -> str:
    """The key of _WAYS a name belongs to; a delta is had the way a rate is."""
    head, dot, _ = name.partition(".")
    kind = head + dot
    return "rate." if kind == "delta." else kind if kind in _WAYS else ""


def _way(kind: str, names: Sequence[str]) -> str:
    plain = [name.removeprefix(kind) for name in names]
    host = ",".join(_EXAMPLES.get(name, f"{name}=…") for name in plain)
    shown = plain if len(plain) <= MOST_NAMES else [*plain[: MOST_NAMES - 1], f"{len(plain) - MOST_NAMES + 1} more"]
    return _WAYS[kind].format(names=", ".join(shown), host=host)
