"""What a DBA reads at the terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.model.rules import Judgement, Severity, Verdict
from advisor.report.check.text import render
from advisor.report.words.layout import Page


@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_no_line_is_wider_than_the_terminal_unless_one_word_is(judgement: Judgement, width: int) -> None:
    for line in render([judgement], Page(width), verbosity=1).splitlines():
        assert len(line) <= width or " " not in line.strip()


def test_a_finding_shows_what_it_rests_on_and_what_to_do(judgement: Judgement) -> None:
    text = render([judgement], Page(80))
    assert "WARNING   redo-too-small" in text
    assert "redo_capacity_bytes = 96 MiB" in text
    assert "innodb_buffer_pool_size = 8 GiB" in text
    assert "set           innodb_redo_log_capacity = 8G (now 100M)" in text
    assert "remove        innodb_log_file_size  line 12" in text
    assert "risk          R1: trades latency or resources" in text
    assert "takes effect  when the server is restarted" in text, "the last of two changes decides"
    assert "costs         disk space" in text


def test_an_uncertain_finding_says_which_releases_it_holds_for(judgement: Judgement) -> None:
    assert "holds for     every possible release except mysql 5.7" in render([judgement], Page(80))
    sure = replace(judgement.findings[0], holds_for=judgement.releases)
    assert "holds for" not in render([replace(judgement, findings=(sure,))], Page(80))


def test_a_start_that_fails_somewhere_is_said_above_everything(judgement: Judgement) -> None:
    heading = render([judgement], Page(200)).split("\n\n")[0]
    assert "does not start on mysql 5.7; starts on mysql 8.0.30+; not known for mysql 8.4" in heading
    assert "note: conf/my.cnf:2: the folder is missing" in heading


def test_what_is_unknown_says_how_to_come_by_it(judgement: Judgement) -> None:
    text = render([judgement], Page(80))
    assert "1 rule could not be judged; ways to get the evidence:" in text
    assert "--host cpus=16" in text
    assert " then  advisor check conf/my.cnf status.txt --together" in text
    assert "(needs" not in text
    assert "(needs rate.Com_commit)" in render([judgement], Page(80), verbosity=1)


def test_a_secret_is_never_shown(judgement: Judgement) -> None:
    assert "hunter2" not in render([judgement], Page(80), verbosity=1)
    assert "report_password = ********" in render([judgement], Page(80))


def test_a_clean_file_takes_three_lines_and_none_when_quiet(clean: Judgement) -> None:
    assert render([clean], Page(80)) == "my.cnf: mysql 8.4.3\n\nno findings; 3 rules clear, 0 not applicable\n"
    assert render([clean], Page(80), verbosity=-1) == ""


def test_a_suppressed_finding_is_shown_only_when_asked_for(judgement: Judgement) -> None:
    hidden = replace(judgement, findings=(replace(judgement.findings[0], suppressed="until spring"),))
    text = render([hidden], Page(80))
    assert "redo-too-small" not in text
    assert "no findings; 1 suppressed" in text
    assert "redo-too-small conf/my.cnf:12: until spring" in render([hidden], Page(80), verbosity=1)


def test_a_broken_rule_comes_first_and_says_so(judgement: Judgement) -> None:
    broken = replace(judgement.findings[0], verdict=Verdict.BROKEN, message="rules/x.yaml: division by zero")
    text = render([replace(judgement, findings=(*judgement.findings, broken))], Page(80))
    assert text.index("BROKEN") < text.index("WARNING")


def test_colour_is_only_in_the_paint_and_never_changes_the_layout(judgement: Judgement) -> None:
    import re

    plain, painted = render([judgement], Page(80)), render([judgement], Page(80, colour=True))
    assert "\x1b" not in plain
    assert "\x1b[1;33m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def test_what_a_file_holds_cannot_steer_the_terminal(judgement: Judgement) -> None:
    nasty = replace(judgement.findings[0], message="evil \x1b[2J\x07 text", severity=Severity.CRITICAL)
    text = render([replace(judgement, findings=(nasty,))], Page(80))
    assert "\x1b" not in text
    assert "evil \\x1b[2J\\x07 text" in text


def test_members_of_a_cluster_are_told_apart(judgement: Judgement) -> None:
    assert "redo-too-small [db1]" in render([replace(judgement, members=("db1", "db2"))], Page(80))


def test_what_holds_for_several_members_is_told_once_with_their_names(judgement: Judgement) -> None:
    first = judgement.findings[0]
    second = replace(first, member="db2", file="other/my.cnf", line=3)
    other = replace(first, member="db3", message="Another figure.")
    several = replace(judgement, members=("db1", "db2", "db3"), findings=(first, second, other))
    text = render([several], Page(80))
    assert text.count(first.rule.id + " [") == 2
    assert "[db1, db2]" in text
    assert "[db3]" in text
    assert "2 warnings" in text


def test_the_block_about_missing_evidence_stays_short(judgement: Judgement) -> None:
    every = (
        "host.cpus",
        "role",
        "rate.A",
        "status.B",
        "replica.C",
        "observed.d",
        "source.e",
        "x",
        "group.g",
        "version",
    )
    unknown = replace(judgement.findings[1], missing=every)
    text = render([replace(judgement, findings=(unknown,))], Page(80))
    block = text.split("ways to get the evidence:")[1].split("\n\n")[0]
    assert len(block.splitlines()) <= 9
    assert "and 4 more; -v shows them" in block
    assert "1  mysqladmin" in block
    assert block.count("mysqladmin") == 1, "counters read twice are also counters read once"


def test_of_many_names_behind_a_fact_the_first_are_told(judgement: Judgement) -> None:
    source = "from configured.a, a, fact.b, c, d"
    fact = replace(judgement.findings[0].because[0], source=source)
    text = render([replace(judgement, findings=(replace(judgement.findings[0], because=(fact,)),))], Page(80))
    assert " from a, b, 2 more\n" in text


def test_places_are_told_as_seen_from_the_heading(judgement: Judgement) -> None:
    facts = [
        replace(judgement.findings[0].because[1], source=source)
        for source in ("/e/my.cnf:3", "/e/conf.d/x.cnf:4", "/o:5")
    ]
    found = replace(judgement.findings[0], file="/e/conf.d/x.cnf", line=4, because=tuple(facts))
    text = render([replace(judgement, path="/e/my.cnf", findings=(found,))], Page(80))
    assert " conf.d/x.cnf:4\n  96 MiB of redo" in text
    shown = [line.split("GiB")[1].strip() for line in text.splitlines() if "innodb_buffer_pool_size =" in line]
    assert shown == ["line 3", "conf.d/x.cnf:4", "/o:5"]
    folder = render([replace(judgement, path="/e", findings=(replace(found, file="/e/my.cnf"),))], Page(80))
    assert " my.cnf:4\n" in folder
