"""The posted file behind "only 4000 inserts/s": what is said of it, in which order, and nothing louder beside it."""

from __future__ import annotations

from itertools import takewhile

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.evidence import read_path
from advisor.model.rules import Severity, Verdict

SERIAL_APPLIER = "gr-flow-control-serial-applier"
WARNINGS = [
    SERIAL_APPLIER,
    "gtid-cost-before-5-7-17",
    "gr-group-unseen",
    "doublewrite-off",
    "flush-method-loses-file-size",
]
REMARKS_IN_ORDER = ["group-member-not-durable", "thread-concurrency-queues", "setting-contradicted", "setting-repeated"]
NO_CAUSE = ("redo-", "binlog-checksum", "gr-link", "gr-message", "io-capacity", "log-buffer")


@pytest.fixture
def posted(shared, tmp_path):
    """The second poster's option file as it stands in the thread, up to the answer to it."""
    lines = (shared / "seeds/000_43e547996405c08a.txt").read_text(encoding="utf-8").splitlines()
    block = takewhile(lambda line: not line.strip().startswith("1. "), lines[lines.index("        [mysqld]") :])
    file = tmp_path / "my.cnf"
    file.write_text("".join(f"{line.removeprefix('        ')}\n" for line in block), encoding="utf-8")
    return read_path(str(file))


def findings(judgement):
    return [f for f in judgement.findings if f.verdict is Verdict.FINDING]


def test_the_causes_come_first_and_the_tidying_last(posted):
    found = findings(check(posted, load_rules(), parse_release("mysql-5.7.15")))
    ids = [f.rule.id for f in found]
    assert [f.rule.id for f in found if f.severity is not Severity.INFO] == WARNINGS
    assert ids[: len(WARNINGS)] == WARNINGS
    assert sorted(ids.index(name) for name in REMARKS_IN_ORDER) == [ids.index(name) for name in REMARKS_IN_ORDER]


def test_the_advice_is_the_one_of_the_plugins_author(posted):
    first = findings(check(posted, load_rules(), parse_release("mysql-5.7.15")))[0]
    assert {change.name: change.value for change in first.changes} == {
        "slave_parallel_type": "LOGICAL_CLOCK",
        "slave_parallel_workers": "16",
        "slave_preserve_commit_order": "ON",
    }


def test_without_the_release_the_same_is_said_with_what_it_depends_on(posted):
    judgement = check(posted, load_rules())
    assert {label.split()[1].split("–")[0].rsplit(".", 1)[0] for label in judgement.releases} == {"5.7"}
    found = findings(judgement)
    loud = [f for f in found if f.severity is not Severity.INFO]
    assert [f.rule.id for f in loud if f.certain] == [SERIAL_APPLIER, "gr-group-unseen", "doublewrite-off"]
    assert {f.rule.id for f in loud if not f.certain} == {"gtid-cost-before-5-7-17", "flush-method-loses-file-size"}


@pytest.mark.parametrize("server", ["mysql-5.7.15", ""])
def test_nothing_is_said_of_what_is_no_cause(posted, server):
    found = findings(check(posted, load_rules(), parse_release(server) if server else ()))
    assert [f.rule.id for f in found if f.rule.id.startswith(NO_CAUSE)] == []


def test_values_blanked_out_before_posting_are_one_remark_and_no_failed_start(posted):
    judgement = check(posted, load_rules(), parse_release("mysql-5.7.15"))
    told = [f for f in findings(judgement) if "server_id" in f.message]
    assert [(f.rule.id, f.severity) for f in told] == [("values-blanked-out", Severity.INFO)]
    assert "with the file as it was shared, the server would not start" in told[0].message
    assert judgement.would_start == {"mysql 5.7.15": None}


def test_an_empty_value_in_an_ordinary_file_stays_critical(tmp_path):
    file = tmp_path / "my.cnf"
    file.write_text("[mysqld]\nserver_id =\ndatadir = /srv/mysql\nport = 3306\n", encoding="utf-8")
    judgement = check(read_path(str(file)), load_rules(), parse_release("mysql-5.7.15"))
    assert [f.rule.id for f in findings(judgement) if f.severity is Severity.CRITICAL] == ["value-refused"]
    assert judgement.would_start == {"mysql 5.7.15": False}
