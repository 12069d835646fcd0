"""How does one come by the evidence that a rule lacked?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from advisor.model.rules import Finding

# By the beginning of a name, the first that fits; "" stands for a system variable.
_WAYS: Final = (
    ("host.cpus", "--host cpus=16"),
    ("host.memory_bytes", "--host memory=64G"),
    ("host.", "--host {name}=…, or host.json in the bundle"),
    ("role", "--role source|replica|primary|secondary|node"),
    ("topology", "--topology group_replication|galera|semisync|async_mysql|async_mariadb|standalone"),
    ("version", "--server, with the point release: --server mysql-8.0.36"),
    ("family", "--server mysql-8.0.36 or --server mariadb-10.11.9"),
    ("vendor", "--server mysql-8.0.36, --server percona-8.0.36 or --server pxc-8.0.36"),
    ("rate.", "two SHOW GLOBAL STATUS dumps in one folder: status-1.txt, and status-2.txt a minute later"),
    ("status.", "SHOW GLOBAL STATUS, saved as status.txt in one folder with my.cnf"),
    ("replica.", "SHOW REPLICA STATUS\\G (older: SHOW SLAVE STATUS\\G), saved in one folder with my.cnf"),
    ("galera.", "SHOW GLOBAL VARIABLES, saved as variables.txt in one folder with my.cnf"),
    ("observed.", "what people know: {name} in observations.yaml of the bundle"),
    ("source.", "the files of the replica's source, in one bundle with the replica's"),
    ("group.", "the tables replication_group_members and replication_group_member_stats"),
    ("fact.", "evidence that {name} is derived from: SHOW GLOBAL STATUS, SHOW GLOBAL VARIABLES"),
    ("", "--server, or SHOW GLOBAL VARIABLES saved as variables.txt in one folder with my.cnf"),
)


def way_to(name: str) -> str:
    """What to say on the command line, or to collect, so that the name becomes known."""
    for beginning, way in _WAYS:
        if name == beginning or (beginning.endswith((".", "cpus", "bytes")) and name.startswith(beginning)):
            return way.format(name=name.partition(".")[2] or name)
    return _WAYS[-1][1]


def group_missing(findings: Iterable[Finding]) -> list[tuple[str, list[str], list[str]]]:
    """Unknown verdicts by the way to the evidence: (way, missing names, rule ids), most rules first."""
    groups: dict[str, tuple[list[str], list[str]]] = {}
    for finding in findings:
        for name in finding.missing or ("",):
            names, rules = groups.setdefault(way_to(name), ([], []))
            if name and name not in names:
                names.append(name)
            if finding.rule.id not in rules:
                rules.append(finding.rule.id)
    ordered = sorted(groups.items(), key=lambda pair: -len(pair[1][1]))
    return [(way, names, rules) for way, (names, rules) in ordered]
