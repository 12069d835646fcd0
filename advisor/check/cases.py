"""Does a rule say what its own cases expect? Reads the cases below a rule's `---` line and runs them.

A case is a mapping: `case` (a sentence), `server` ("mysql 8.4.3"; absent: inferred), `role`, `topology`, `my.cnf`
(lines; `[mysqld]` is supplied when there is no group; absent: an empty file; `[]`: no file was seen), `passed_over`
(why the server ignores the file), `variables`, `status`, `rate` (per second), `samples` (a list of counters with
`at`), `replica` (columns), `tables` (rows, with `at` where there are several moments), `innodb_status` (text),
`host`, `observed`, `same_file` (server_id of other servers of the same file), and `expect`: a verdict. Optional:
`missing` (names an unknown must name), `says` (words the message must contain), `sets` (what the advice must set),
`members` (a list of the above with `name`, for clusters) and `about` (the member the expectation is about).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from advisor.catalog import parse_release
from advisor.check.judge import check
from advisor.data import read_documents
from advisor.errors import RuleError
from advisor.evidence.member.value_types import number
from advisor.model.evidence import Cluster, Fact, Member, Sample, TableSnapshot
from advisor.model.options import Reading, ReadProblem
from advisor.model.record import field, record, replace
from advisor.model.rules import Finding, Rule, Verdict
from advisor.model.server import Role, Topology
from advisor.options import read_text

_MEMBER_KEYS = tuple(
    "name server role my.cnf passed_over variables status rate samples replica tables innodb_status host "
    "observed same_file".split()
)
_NO_FILE = "[]"
_CASE_KEYS = (*_MEMBER_KEYS, "case", "topology", "members", "about", "expect", "missing", "says", "sets")


@record
class Case:
    """One expectation about one rule."""

    name: str
    cluster: Cluster
    server: str
    expect: Verdict
    about: str = ""
    missing: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    sets: Mapping[str, str] = field(default_factory=dict)


def read_cases(rule: Rule) -> tuple[Case, ...]:
    """The cases of a rule's file; RuleError when one is not well formed."""
    documents = list(read_documents(rule.file))
    items = documents[1] if len(documents) > 1 else []
    if not isinstance(items, list):
        raise RuleError("cases: must be a list", file=rule.file)
    return tuple(_case(item, rule.file) for item in items)


def run_case(rule: Rule, case: Case) -> list[str]:
    """How the rule's verdict differs from what the case expects; empty when it does not."""
    target = parse_release(case.server) if case.server else ()
    judgement = check(case.cluster, [rule], target)
    findings = [f for f in judgement.findings if not case.about or f.member == case.about]
    verdicts = [f.verdict for f in findings]
    verdict = verdicts[0] if verdicts else _quiet(judgement.counts)
    if verdict is not case.expect:
        told = findings[0].message or ", ".join(findings[0].missing) if findings else ""
        return [f"gives {verdict}, not {case.expect}" + (f" ({told})" if told else "")]
    return [*_said(findings, case)]


def _quiet(counts: Mapping[Verdict, int]) -> Verdict:
    return Verdict.CLEAR if counts.get(Verdict.CLEAR) else Verdict.NOT_APPLICABLE


def _said(findings: Sequence[Finding], case: Case) -> list[str]:
    problems = [f"does not name {n} as missing" for n in case.missing if not any(n in f.missing for f in findings)]
    problems += [
        f"does not say {s!r}: {findings[0].message}" for s in case.says if not any(s in f.message for f in findings)
    ]
    changes = {change.name: change.value for finding in findings for change in finding.changes}
    for name, value in case.sets.items():
        if changes.get(name, "nothing") != (value if value != "(remove)" else None):
            problems.append(f"sets {name} to {changes.get(name, 'nothing')}, not {value}")
    return problems


def _case(data: Any, file: str) -> Case:
    if not isinstance(data, dict) or not data.get("case") or "expect" not in data:
        raise RuleError("a case needs `case` and `expect`", file=file)
    for key in data:
        if key not in _CASE_KEYS:
            raise RuleError(f"case {data['case']!r} has no key {key!r}", file=file, hint=", ".join(_CASE_KEYS))
    return Case(
        name=data["case"],
        cluster=build_cluster(data, file),
        server=data.get("server", ""),
        expect=Verdict(data["expect"]),
        about=data.get("about", ""),
        missing=tuple(_listed(data.get("missing", []))),
        says=tuple(_listed(data.get("says", []))),
        sets=data.get("sets", {}),
    )


def build_cluster(data: dict[str, Any], file: str) -> Cluster:
    """The evidence that a case describes; RuleError for a key that describes nothing."""
    members = tuple(_member(m, file) for m in data["members"]) if "members" in data else (_member(data, file),)
    return _recognised(file, members, Topology(data["topology"]) if "topology" in data else None)


def _recognised(file: str, members: tuple[Member, ...], stated: Topology | None) -> Cluster:
    """The cluster with the topology and the roles that reading the same evidence would give it."""
    from advisor.evidence.topology import recognise

    recognised = recognise(members, stated)
    with_roles = tuple(
        replace(member, role=found.value, role_source=found.source)
        if (found := recognised.roles.get(member.name))
        else member
        for member in members
    )
    return Cluster(file, with_roles, recognised.topology.value if recognised.topology else None)


def _member(data: dict[str, Any], file: str) -> Member:
    for key in data:
        if key not in _CASE_KEYS:
            raise RuleError(f"a member has no key {key!r}", file=file, hint=", ".join(_MEMBER_KEYS))
    tables = [TableSnapshot("replica_status", (_typed(data["replica"]),))] if "replica" in data else []
    tables += [table for name, rows in data.get("tables", {}).items() for table in _snapshots(name, rows)]
    return Member(
        name=data.get("name", "server"),
        server=data.get("server", ""),
        role=Role(data["role"]) if "role" in data else None,
        options=_options(data),
        variables=_facts(data.get("variables", {}), "variables.txt"),
        samples=_samples(data),
        tables=tuple(tables),
        innodb_status=data.get("innodb_status", ""),
        host=_facts(_typed(data.get("host", {})), "host"),
        observed=_facts(_typed(data.get("observed", {})), "observations.yaml"),
        server_ids_beside={name: str(number) for name, number in data.get("same_file", {}).items()},
    )


def _options(data: Mapping[str, Any]) -> Reading | None:
    """The option file of a case; `passed_over` says why the server ignores it, or a part of it."""
    text = data.get("my.cnf", "")
    if text == _NO_FILE:
        return None
    reading = read_text(text if "[" in text else f"[mysqld]\n{text}", "my.cnf")
    problems = [ReadProblem("my.cnf", 0, data["passed_over"], fatal=False)] if "passed_over" in data else []
    return replace(reading, problems=(*reading.problems, *problems))


def _snapshots(table: str, rows: Sequence[Mapping[str, Any]]) -> list[TableSnapshot]:
    """One snapshot for each moment that rows name with `at`; those without were read at second 0."""
    moments: dict[float, list[dict[str, Any]]] = {}
    for row in rows:
        columns = _typed(row)
        moments.setdefault(float(columns.pop("at", 0)), []).append(columns)
    return [TableSnapshot(table, tuple(rows_at_moment), at) for at, rows_at_moment in moments.items()]


def _samples(data: dict[str, Any]) -> tuple[Sample, ...]:
    if "samples" in data:
        return tuple(
            Sample(float(s["at"]), _typed({k: v for k, v in s.items() if k != "at"}), "SHOW GLOBAL STATUS")
            for s in data["samples"]
        )
    status, rate = _typed(data.get("status", {})), _typed(data.get("rate", {}))
    if rate:
        zero = {**status, **dict.fromkeys(rate, 0)}
        ten = {**status, **{name: value * 10 for name, value in rate.items()}}
        return (Sample(0.0, zero, "SHOW GLOBAL STATUS"), Sample(10.0, ten, "SHOW GLOBAL STATUS"))
    return (Sample(0.0, status, "SHOW GLOBAL STATUS"),) if status else ()


def _facts(values: Mapping[str, Any], source: str) -> dict[str, Fact]:
    return {name: Fact(name, value, "", source) for name, value in values.items()}


def _typed(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _number(value) for name, value in values.items()}


def _number(value: Any) -> Any:
    """Numbers for what is written as one, in lists and mappings too."""
    if isinstance(value, list):
        return tuple(map(_number, value))
    if isinstance(value, dict):
        return _typed(value)
    return number(value) if isinstance(value, str) else value


def _listed(data: Any) -> list[str]:
    return data if isinstance(data, list) else [data]
