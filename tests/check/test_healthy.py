"""Servers that experts run well: nothing may be said about them, save the few remarks listed with a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.check.stated import parse_host, state
from advisor.data import read_yaml
from advisor.evidence import read_path
from advisor.model.record import replace
from advisor.model.rules import Severity, Verdict
from advisor.model.server import Role

FOLDER = Path(__file__).parents[1] / "healthy"
RULES = load_rules()
ALLOWED = read_yaml(FOLDER / "allowed.yaml") or {}
SERVERS = sorted(path for path in FOLDER.iterdir() if path.is_dir() or path.suffix == ".cnf")


def header(path):
    """The words of the comments that a single server's file begins with: server, role, host."""
    return dict(re.findall(r"^# (server|role|host): (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE))


def cluster_of(path):
    """The cluster, and what its header states."""
    if (path / "bundle.json").exists():
        return read_path(str(path)), {}
    file = path if path.is_file() else path / "my.cnf"
    stated = header(file)
    cluster = read_path(str(file), root=str(path) if path.is_dir() else "/")
    role = Role(stated["role"]) if "role" in stated else None
    return state(cluster, role, None, parse_host([stated.get("host", "")])), stated


def told(judgement):
    """Findings as (severity, rule, member, message); broken rules count."""
    return [
        (str(f.severity), f.rule.id, f.member, f.message)
        for f in judgement.findings
        if f.verdict in (Verdict.FINDING, Verdict.BROKEN)
    ]


@pytest.mark.parametrize("path", SERVERS, ids=lambda path: path.name)
def test_nothing_is_said_about_a_well_run_server(path):
    cluster, stated = cluster_of(path)
    release = parse_release(stated["server"]) if stated else ()
    judgement = check(cluster, RULES, release)
    assert cluster.problems == ()
    permitted = {rule for rule, entry in ALLOWED.items() if entry["servers"] == "all" or path.name in entry["servers"]}
    assert [finding for finding in told(judgement) if finding[0] != "info" or finding[1] not in permitted] == []


@pytest.mark.parametrize("path", SERVERS, ids=lambda path: path.name)
def test_nothing_that_limits_or_endangers_is_found_without_knowing_the_release(path):
    cluster, _ = cluster_of(path)
    cluster = replace(cluster, members=tuple(replace(member, server="") for member in cluster.members))
    certain = [f for f in check(cluster, RULES).findings if f.verdict is Verdict.FINDING and f.certain]
    assert [(f.rule.id, f.member, f.message) for f in certain if f.severity is not Severity.INFO] == []


def test_every_permitted_remark_is_still_made():
    made = {
        (finding[1], path.name)
        for path in SERVERS
        for cluster, stated in [cluster_of(path)]
        for finding in told(check(cluster, RULES, parse_release(stated["server"]) if stated else ()))
    }
    listed = {(rule, name) for rule, e in ALLOWED.items() if e["servers"] != "all" for name in e["servers"]}
    assert listed <= made
    assert {rule for rule, e in ALLOWED.items() if e["servers"] == "all"} <= {rule for rule, _ in made}
