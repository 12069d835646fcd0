"""Dumps of real servers: which server is this, and is what the rules say of it true there?"""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.check import check, load_rules
from advisor.evidence import read_path, read_together
from advisor.model.rules import Judgement, Verdict

RULES = load_rules()
# Corpus number → release and topology as the dump shows them; "" where it shows none.
SERVERS = {
    "071": ("mysql 5.0.82", ""),
    "072": ("mysql 5.5.21", "semisync"),
    "073": ("percona 5.1.61", ""),
    "074": ("pxc 5.5.28", "galera"),
    "075": ("percona 5.5.20", ""),
    "076": ("mariadb 11.8.5", ""),
    "077": ("mysql 8.0.45", ""),
    "078": ("percona 8.4.8", "group_replication"),
    "079": ("mysql 9.5.0", ""),
    "080": ("percona 8.0.44", ""),
    "081": ("pxc 8.4.8", "galera"),
    "082": ("mariadb 10.4.5", "galera"),
    "083": ("pxc 5.7.25", "galera"),
    "088": ("pxc 5.5.28", "galera"),
    "089": ("mysql 5.1.58", "standalone"),
    "090": ("mysql 5.1.34", ""),
}
COUNTERS_ONLY = {"084": "", "085": "", "086": "galera", "087": ""}
UNITS = (("075", "084"), ("074", "086"), ("074", "086", "088"))


def path_of(shared: Path, number: str) -> str:
    return str(next((shared / "corpus").glob(f"{number}-*.txt")))


def judged(shared: Path, *numbers: str) -> Judgement:
    paths = [path_of(shared, number) for number in numbers]
    return check(read_together(paths) if len(paths) > 1 else read_path(paths[0]), RULES)


def found(judgement: Judgement) -> dict[str, str]:
    """Rule → message of what was found."""
    return {f.rule.id: f.message for f in judgement.findings if f.verdict is Verdict.FINDING}


def set_by(judgement: Judgement, rule: str) -> dict[str, str | None]:
    """What the advice of a finding sets."""
    finding = next(f for f in judgement.findings if f.rule.id == rule and f.verdict is Verdict.FINDING)
    return {change.name: change.value for change in finding.changes}


def missing(judgement: Judgement) -> set[str]:
    return {name for f in judgement.findings if f.verdict is Verdict.UNKNOWN for name in f.missing}


def asked_counters(judgement: Judgement) -> set[str]:
    return {name for name in missing(judgement) if name.startswith("status.")}


@pytest.mark.parametrize("number", SERVERS)
def test_a_dump_names_its_server(shared: Path, number: str) -> None:
    judgement = judged(shared, number)
    assert (judgement.releases, judgement.topology, judgement.inferred) == (
        (SERVERS[number][0],),
        SERVERS[number][1],
        False,
    )


@pytest.mark.parametrize("number", COUNTERS_ONLY)
def test_counters_alone_do_not_tell_the_release(shared: Path, number: str) -> None:
    judgement = judged(shared, number)
    assert judgement.topology == COUNTERS_ONLY[number]
    assert judgement.inferred
    assert len(judgement.releases) > 10
    assert found(judgement) == {}


@pytest.mark.parametrize("number", [*SERVERS, *COUNTERS_ONLY])
def test_no_rule_breaks_on_a_dump(shared: Path, number: str) -> None:
    assert [f.rule.id for f in judged(shared, number).findings if f.verdict is Verdict.BROKEN] == []


@pytest.mark.parametrize("numbers", UNITS, ids="+".join)
def test_counters_beside_variables_take_nothing_away(shared: Path, numbers: tuple[str, ...]) -> None:
    alone, together = judged(shared, numbers[0]), judged(shared, *numbers)
    assert together.releases == alone.releases
    assert found(alone).items() <= found(together).items()
    assert asked_counters(together) < asked_counters(alone)


def test_nothing_is_asked_for_that_a_whole_dump_shows_the_release_does_not_have(shared: Path) -> None:
    plain = {name for name in missing(judged(shared, "071")) if "." not in name}
    assert plain <= {"option_file", "role", "version", "innodb_status"}


def test_advice_is_only_of_settings_the_release_has(shared: Path) -> None:
    for number in SERVERS:
        judgement = judged(shared, number)
        dump = {name.lower() for name in read_path(path_of(shared, number)).members[0].variables}
        for finding in judgement.findings:
            if len(dump) > 200 and finding.verdict is Verdict.FINDING:
                names = {change.name.replace("-", "_").lower() for change in finding.changes}
                assert {name for name in names if not name.startswith("galera.")} <= dump, (number, finding.rule.id)


def test_known_findings(shared: Path) -> None:
    old = judged(shared, "072")
    assert "16 MiB" in found(old)["query-cache-on"]
    assert set_by(old, "query-cache-on") == {"query_cache_type": "OFF", "query_cache_size": "0"}
    assert "Maintenance of MySQL 5.5.21 has ended (December 2018)" in found(old)["series-not-maintained"]
    assert "performance-schema-off" not in found(old)
    assert "general-log-on" in found(judged(shared, "074"))
    assert found(judged(shared, "077"))["binlog-kept-briefly"] == "Binary logs are removed after 10 s."
    assert "wsrep_max_ws_size = 20.5 MiB" in found(judged(shared, "083"))["galera-write-set-below-packet"]
    assert "pending-jobs-below-packet" not in found(judged(shared, "083"))
    assert set_by(judged(shared, "090"), "default-engine-not-transactional") == {"default_storage_engine": "InnoDB"}
