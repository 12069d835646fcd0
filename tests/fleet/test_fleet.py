"""A fleet is judged in one run: by cluster and by rule, the worst first, and against an earlier report."""

from __future__ import annotations

import json

import pytest

from advisor.cli.check.fleet import FleetRequest, exit_code_of_fleet, judge_fleet
from advisor.cli.check.output import FailOn
from advisor.cli.check.run import CheckRequest
from advisor.errors import InputError
from advisor.model.rules import Severity
from advisor.report.fleet import document, html, text
from advisor.report.words.layout import Page

GOOD = "[mysqld]\nserver_id = {}\nlog_bin = b\nbinlog_format = ROW\n"
BAD = "[mysqld]\nserver_id = {}\nlog_bin = b\nbinlog_format = ROW\nsync_binlog = 0\n"
BROKEN = "[mysqld]\nno_such_option = 1\n"


@pytest.fixture(name="fleet")
def fleet_of_three_clusters(tmp_path):
    """A folder with three clusters of two members, and an inventory."""
    for cluster, texts in {"a": (GOOD, GOOD), "b": (BAD, GOOD), "c": (BROKEN, BAD)}.items():
        (tmp_path / cluster).mkdir()
        for number, content in enumerate(texts, 1):
            file = tmp_path / cluster / f"db{number}.cnf"
            file.write_text(content.format(number), encoding="utf-8")
            file.chmod(0o644)
    lines = [f"  {name}: [{name}/db1.cnf, {name}/db2.cnf]\n" for name in "abc"]
    (tmp_path / "fleet.yaml").write_text("clusters:\n" + "".join(lines), encoding="utf-8")
    return tmp_path


def report_of(fleet, *, since=None, jobs=1, server="mysql-8.4.8"):
    check = CheckRequest((), server=server)
    return judge_fleet(FleetRequest(check, inventory=fleet / "fleet.yaml", since=since, jobs=jobs))


def found(report):
    return {
        f"{cluster.name}/{server.name}": {f.rule for f in server.findings if f.severity is not Severity.INFO}
        for cluster in report.clusters
        for server in cluster.servers
    }


def test_the_worst_cluster_and_the_worst_server_come_first(fleet):
    report = report_of(fleet)
    assert [cluster.name for cluster in report.clusters] == ["c", "b", "a"]
    assert report.clusters[0].servers[0].name == "db1"
    assert found(report)["c/db1"] == {"option-unknown"}
    assert "binlog-not-synced" in found(report)["b/db1"]
    assert report.rules[0].rule == "option-unknown"
    assert (report.rules[0].servers, report.rules[0].examples) == (1, ("c/db1",))


def test_members_are_judged_together_so_drift_shows(fleet):
    galera = (
        "wsrep_on = ON\nwsrep_cluster_name = a\nwsrep_cluster_address = gcomm://x,y\n"
        "wsrep_provider = /l/libgalera_smm.so\n"
    )
    for number in (1, 2):
        file = fleet / f"b/db{number}.cnf"
        file.write_text(GOOD.format(number) + galera + f"sync_binlog = {number}\n", encoding="utf-8")
    (cluster,) = (cluster for cluster in report_of(fleet, server="mariadb-10.11.6").clusters if cluster.name == "b")
    assert "durability-differs" in {finding.rule for finding in cluster.findings_of_cluster}


def test_a_member_that_cannot_be_read_costs_the_others_nothing(fleet):
    (fleet / "b/db2.cnf").unlink()
    (fleet / "a/db1.cnf").write_bytes(b"\0\0")
    report = report_of(fleet)
    failures = {f"{s.cluster}/{s.name}": s.failure for s in report.servers if s.failure}
    assert sorted(failures) == ["a/db1", "b/db2"]
    assert "binlog-not-synced" in found(report)["b/db1"]
    assert exit_code_of_fleet(report, FailOn.WARNING, strict=False) == 1
    assert exit_code_of_fleet(report, FailOn.NEVER, strict=False) == 0


def test_nothing_readable_is_exit_code_2(fleet):
    for file in fleet.glob("*/*.cnf"):
        file.unlink()
    assert exit_code_of_fleet(report_of(fleet), FailOn.WARNING, strict=False) == 2


def test_what_changed_since_an_earlier_report(fleet):
    earlier = fleet / "earlier.json"
    earlier.write_text(document.render(report_of(fleet)), encoding="utf-8")
    assert report_of(fleet, since=earlier).since.new == report_of(fleet, since=earlier).since.gone == ()
    (fleet / "b/db1.cnf").write_text(GOOD.format(1), encoding="utf-8")
    (fleet / "a/db1.cnf").write_text("\n\n" + BAD.format(1), encoding="utf-8")
    since = report_of(fleet, since=earlier).since
    assert ("a/db1", "binlog-not-synced", "") in since.new
    assert ("b/db1", "binlog-not-synced", "") in since.gone
    assert not {server for server, _, _ in (*since.new, *since.gone)} & {"c/db1", "c/db2"}


@pytest.mark.parametrize("content", ["", "{}", '{"schema": "advisor/findings/1"}', "[1]"])
def test_an_earlier_report_must_be_one(fleet, content):
    (fleet / "earlier.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="not a report on a fleet"):
        report_of(fleet, since=fleet / "earlier.json")


def test_every_format_shows_the_same_servers(fleet):
    report = report_of(fleet)
    data = json.loads(document.render(report))
    assert {f"{c['name']}/{s['name']}" for c in data["clusters"] for s in c["servers"]} == set(found(report))
    shown = text.render(report, Page(80), everything=True)
    assert max(map(len, shown.split("\n"))) <= 80
    assert "option-unknown" in shown
    page = html.render(report)
    assert page.count('class="level bad"') >= 2
    assert "search" in page


def test_names_from_files_never_become_markup(fleet):
    (fleet / "a/db1.cnf").rename(fleet / "a/<script>.cnf")
    (fleet / "fleet.yaml").write_text("clusters: {'<b>': ['a/*.cnf']}\n", encoding="utf-8")
    page = html.render(report_of(fleet))
    assert "<script>.cnf" not in page
    assert "<b>" not in page
