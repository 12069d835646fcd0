"""`advisor check`: findings, exit codes, what users state, suppressions, baselines, changes to files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runs import MY_CNF, TINY_RULE, Runner

FORMS = ["text", "json", "sarif", "markdown"]


def test_a_finding_gives_code_1_and_points_at_its_line(check: Runner) -> None:
    done = check()
    assert done.code == 1
    assert "WARNING   tiny-redo" in done.out
    assert "my.cnf:6" in done.out
    assert "Each redo log file holds 48 MiB." in done.out
    assert done.err == ""


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 1),
        (["--fail-on", "info"], 1),
        (["--fail-on", "critical"], 0),
        (["--fail-on", "never"], 0),
        (["--ignore", "tiny-redo"], 0),
        (["--ignore", "tiny-redo", "--strict"], 1),  # hungry could not be judged
        (["--ignore", "tiny-redo", "--strict", "--host", "cpus=2"], 0),
        (["--ignore", "tiny-redo", "--host", "cpus=16"], 1),
        (["--server", "oracle-19c"], 2),
        (["--only", "no-such-rule"], 2),
        (["--host", "cpus"], 2),
        (["--host", "memory=lots"], 2),
        (["--host", "memory=1e999G"], 2),
        (["--host", "memory=-5G"], 2),
        (["--host", "cpus=nan"], 2),
        (["--host", "cpus=0"], 2),
        (["--host", "cpu_util=95"], 2),
        (["--host", "ram=64G"], 2),
        (["--rules", "nowhere"], 2),
        (["--format", "pdf"], 2),
        (["--baseline", "nowhere.json"], 2),
        (["--diff", "--format", "json"], 2),
        (["--diff", "--allow", "R9"], 2),
    ],
)
def test_the_exit_code_says_what_happened(check: Runner, words: list[str], code: int) -> None:
    assert check(*words).code == code


def test_a_finding_that_holds_for_some_releases_only_counts_with_strict_only(run: Runner) -> None:
    # The file is accepted by 5.7 and by 8.0; the rule speaks about 5.7 alone.
    rule = TINY_RULE.format(id="redo", severity="warning", risk="R2")
    Path("ours/redo/tiny-redo.yaml").write_text(
        rule.replace("when:", 'applies_to: {mysql: "<8.0"}\nwhen:').split("---")[0], encoding="utf-8"
    )
    words = ["check", "my.cnf", "--rules", "ours", "--only", "tiny-redo"]
    lenient, strict = run(*words), run(*words, "--strict")
    assert "holds for     mysql 5.7" in lenient.out
    assert (lenient.code, strict.code) == (0, 1)


def test_a_file_that_cannot_be_read_does_not_stop_the_others(run: Runner) -> None:
    done = run("check", "nowhere.cnf", "my.cnf", "--server", "mysql-8.0.28", "--rules", "ours", "--only", "tiny-redo")
    assert done.code == 2
    assert done.err.startswith("advisor: nowhere.cnf: ")
    assert "tiny-redo" in done.out


@pytest.mark.parametrize(
    "content",
    [b"\x00\x01\x02", b"sync_binlog=1\n", b"[mysqld", b"\xff\xfe[\x00m\x00", b"[mysqld]\n" + b"x" * 100_000, b""],
)
def test_no_file_ends_in_a_traceback(run: Runner, content: bytes) -> None:
    Path("bad.cnf").write_bytes(content)
    done = run("check", "bad.cnf", "--rules", "ours", "--only", "tiny-redo")
    assert done.code in (0, 1, 2)
    assert "Traceback" not in done.err + done.out


def test_a_broken_rule_gives_code_3_with_its_place(run: Runner) -> None:
    Path("ours/redo/bad.yaml").write_text("id: bad\ntitle: x\n", encoding="utf-8")
    done = run("check", "my.cnf", "--rules", "ours")
    assert done.code == 3
    assert "ours/redo/bad.yaml" in done.err


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("extra", [[], ["-v"]])
def test_no_password_of_the_file_is_in_any_report(check: Runner, run: Runner, form: str, extra: list[str]) -> None:
    Path("my.cnf").write_text(MY_CNF + "report_pasword = hunter2\nwsrep_sst_auth = sst:hunter2\n", encoding="utf-8")
    for done in (check("--format", form, *extra), run("check", "my.cnf", "--format", form)):
        assert "hunter2" not in done.out + done.err
        assert "client-secret" not in done.out + done.err


def test_several_paths_give_several_reports_in_the_shape_of_one(run: Runner) -> None:
    Path("other.cnf").write_text("[mysqld]\nsync_binlog=1\n", encoding="utf-8")
    done = run("check", "my.cnf", "other.cnf", "--format", "json", "--server", "mysql-8.0.28")
    several = json.loads(done.out)
    assert [report["target"] for report in several["reports"]] == ["my.cnf", "other.cnf"]
    one = json.loads(run("check", "my.cnf", "--format", "json", "--server", "mysql-8.0.28").out)
    assert one == {**several, "reports": several["reports"][:1]}


def test_what_the_user_states_is_evidence(check: Runner) -> None:
    done = check("--host", "cpus=16,memory=64G", "--format", "json")
    hungry = next(f for f in json.loads(done.out)["reports"][0]["findings"] if f["rule"] == "hungry")
    cpus = hungry["because"][0]
    assert (cpus["name"], cpus["value"], cpus["source"]) == ("host.cpus", 16, "--host cpus=16")


def test_a_comment_in_the_file_accepts_a_finding(check: Runner) -> None:
    Path("my.cnf").write_text(
        MY_CNF.replace("48M", "48M  # advisor: ignore[tiny-redo] until the new disks"), encoding="utf-8"
    )
    done = check("-v")
    assert done.code == 0
    assert "tiny-redo my.cnf:6: until the new disks" in done.out


def test_the_configuration_accepts_findings_until_a_day(check: Runner) -> None:
    ignore = '[[ignore]]\nrule = "tiny-redo"\nreason = "known"\nuntil = {}\n'
    Path("advisor.toml").write_text(ignore.format("2999-01-01"), encoding="utf-8")
    assert check().code == 0
    Path("advisor.toml").write_text(ignore.format("2001-01-01"), encoding="utf-8")
    late = check()
    assert late.code == 1
    assert "ignoring tiny-redo has no effect: it expired on 2001-01-01" in late.out


def test_the_configuration_is_found_upwards_and_the_command_line_wins(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("pyproject.toml").write_text(
        '[tool.advisor]\nserver = "mysql-8.0.28"\nfail_on = "never"\nrules = ["ours"]\n', encoding="utf-8"
    )
    (tmp_path / "deep/er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep/er")
    words = ["check", "../../my.cnf", "--only", "tiny-redo"]
    assert run(*words).code == 0
    assert run(*words, "--fail-on", "warning").code == 1


@pytest.mark.parametrize("text", ["serevr = 'x'", "rules = 3", "= 1", "fail_on = 'often'", "[[ignore]]\nreason = 'x'"])
def test_a_wrong_configuration_is_wrong_usage(check: Runner, text: str) -> None:
    Path("advisor.toml").write_text(text, encoding="utf-8")
    done = check()
    assert done.code == 2
    assert "advisor.toml" in done.err


def test_a_baseline_leaves_only_new_findings(check: Runner) -> None:
    assert check("--write-baseline", "known.json").code == 1
    again = check("--baseline", "known.json")
    assert again.code == 0
    assert "no findings; 1 suppressed" in again.out
    assert check("--baseline", "known.json", "--host", "cpus=16").code == 1, "hungry is new"


def test_a_diff_shows_the_change_and_touches_nothing(check: Runner) -> None:
    done = check("--diff")
    assert "-innodb_log_file_size = 48M\n+innodb_log_file_size = 1G\n" in done.out
    assert "hunter2" not in done.out
    assert Path("my.cnf").read_text(encoding="utf-8") == MY_CNF


def test_fix_changes_the_file_keeps_a_backup_and_the_finding_is_gone(check: Runner) -> None:
    done = check("--fix")
    assert Path("my.cnf").read_text(encoding="utf-8") == MY_CNF.replace("48M", "1G")
    assert Path("my.cnf.advisor-backup").read_text(encoding="utf-8") == MY_CNF
    assert "undo with: mv my.cnf.advisor-backup my.cnf" in done.out
    assert check().code == 0


def test_a_change_that_trades_safety_is_made_only_when_allowed_by_name(check: Runner) -> None:
    Path("ours/redo/tiny-redo.yaml").write_text(
        TINY_RULE.format(id="redo", severity="warning", risk="D-os"), encoding="utf-8"
    )
    refused = check("--fix")
    assert "not changed: tiny-redo: risk D-os; allow it with --allow" in refused.out
    assert Path("my.cnf").read_text(encoding="utf-8") == MY_CNF
    check("--fix", "--allow", "D-os")
    assert Path("my.cnf").read_text(encoding="utf-8") == MY_CNF.replace("48M", "1G")


def test_a_fix_without_server_is_made_when_all_possible_releases_ask_for_the_same(run: Runner) -> None:
    done = run("check", "my.cnf", "--rules", "ours", "--only", "tiny-redo", "--fix")
    assert done.code == 1
    assert "The changes are the same for every possible release: mysql 5.7" in done.out
    assert Path("my.cnf").read_text(encoding="utf-8") == MY_CNF.replace("48M", "1G")


def test_a_fix_that_differs_between_the_possible_releases_is_refused_and_names_them(run: Runner) -> None:
    rule = TINY_RULE.format(id="redo", severity="warning", risk="R2").split("---")[0]
    two = "advice:\n  - for: {mysql: '<8.0'}\n    set: {innodb_log_file_size: 2G}\n    risk: R2\n  - set:"
    Path("ours/redo/tiny-redo.yaml").write_text(
        rule.replace("advice:\n  set:", two).replace("  risk: R2\n  costs", "    risk: R2\n    costs"), encoding="utf-8"
    )
    Path("other.cnf").write_text("[mysqld-5.7]\ninnodb_log_file_size = 4M\n", encoding="utf-8")
    done = run("check", "my.cnf", "other.cnf", "--rules", "ours", "--only", "tiny-redo", "--fix")
    assert done.code == 2
    assert done.err.count("the changes differ between the releases") == 1
    assert "e.g. --server m" in done.err
    assert "releases with the same changes: mysql 5.7" in done.err
    assert Path("my.cnf").read_text(encoding="utf-8") == MY_CNF
    assert "changed other.cnf" in done.out, "what is certain elsewhere is still done"


def test_a_fix_takes_the_release_a_dump_beside_the_file_states(run: Runner) -> None:
    Path("variables.txt").write_text("Variable_name\tValue\nport\t3306\nversion\t8.0.28\n", encoding="utf-8")
    words = ["check", "my.cnf", "variables.txt", "--together", "--rules", "ours", "--only", "tiny-redo", "--fix"]
    done = run(*words)
    assert "On the running server (mysql 8.0.28):" in done.out
    assert Path("my.cnf").read_text(encoding="utf-8") == MY_CNF.replace("48M", "1G")


def test_a_dump_or_a_bundle_cannot_be_changed_and_that_is_said(run: Runner) -> None:
    Path("variables.txt").write_text("Variable_name\tValue\nport\t3306\nversion\t8.0.28\n", encoding="utf-8")
    Path("bundle/members/db1").mkdir(parents=True)
    Path("bundle/members/db1/my.cnf").write_text(MY_CNF, encoding="utf-8")
    for path in ("variables.txt", "bundle"):
        done = run("check", path, "--rules", "ours", "--only", "tiny-redo", "--diff")
        assert done.code == 2
        assert f"advisor: {path}: --diff and --fix need an option file" in done.err
        assert "hint: name the server's option file" in done.err


def test_paths_can_be_the_members_of_one_cluster(run: Runner) -> None:
    group = "[mysqld]\ngroup_replication_group_name = {}\nserver_id = {}\nlog_bin\n"
    Path("db1.cnf").write_text(group.format("aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa", 1), encoding="utf-8")
    Path("db2.cnf").write_text(group.format("bbbbbbbb-aaaa-aaaa-aaaa-aaaaaaaaaaaa", 2), encoding="utf-8")
    words = ["db1.cnf", "db2.cnf", "--members", "--server", "mysql-8.4.3"]
    done = run("check", *words)
    assert done.out.startswith("db1.cnf db2.cnf: mysql 8.4.3, group replication, 2 members\n")
    assert "CRITICAL  members-disagree" in done.out
    assert "[db1, db2]" in done.out
    assert done.code == 1
    (report,) = json.loads(run("check", *words, "--format", "json").out)["reports"]
    assert {finding["member"] for finding in report["findings"]} == {"db1", "db2"}
    assert run("check", *words, "--role", "primary").code == 2
    assert run("check", *words, "--together").code == 2
    assert "not of 2" in run("check", *words, "--diff").err


def test_a_copy_of_etc_is_read_as_the_server_would_and_the_files_are_named(run: Runner) -> None:
    etc = Path("copy/etc/mysql")
    (etc / "mysql.conf.d").mkdir(parents=True)
    (etc / "my.cnf").write_text("!includedir /etc/mysql/mysql.conf.d/\n", encoding="utf-8")
    (etc / "mysql.conf.d/mysqld.cnf").write_text("[mysqld]\ninnodb_log_file_size=48M\n", encoding="utf-8")
    words = ["check", "copy/etc/mysql", "--root", "copy", "--server", "mysql-8.0.28"]
    done = run(*words, "-v", "--rules", "ours", "--only", "tiny-redo")
    assert done.out.startswith(
        "copy/etc/mysql/my.cnf: mysql 8.0.28\n  read: copy/etc/mysql/my.cnf\n"
        "  read: copy/etc/mysql/mysql.conf.d/mysqld.cnf\n"
    )
    assert "  mysql.conf.d/mysqld.cnf:2\n" in done.out
    assert done.out.count("tiny-redo") == 1


def test_evidence_that_names_another_release_than_the_user_is_believed_and_that_is_said(run: Runner) -> None:
    Path("v.txt").write_text("Variable_name\tValue\nport\t3306\nversion\t8.0.36\n", encoding="utf-8")
    remark = "note: server: checked as mysql 8.0.36, the release shown by its own evidence;"
    assert remark in run("check", "v.txt", "--server", "mysql-5.7.44").out
    assert "note:" not in run("check", "v.txt", "--server", "mysql-8.0.36").out
    assert "note:" not in run("check", "v.txt", "--server", "mysql-8.0").out


def test_the_way_back_can_be_pasted_and_names_the_file_behind_a_link(check: Runner, run: Runner) -> None:
    Path("sub dir").mkdir()
    Path("sub dir/real.cnf").write_text(MY_CNF, encoding="utf-8")
    Path("link.cnf").symlink_to("sub dir/real.cnf")
    done = run("check", "link.cnf", "--server", "mysql-8.0.28", "--rules", "ours", "--only", "tiny-redo", "--fix")
    assert "undo with: mv 'sub dir/real.cnf.advisor-backup' 'sub dir/real.cnf'" in done.out
    assert Path("link.cnf").is_symlink()


@pytest.mark.parametrize(
    ("server", "nearest"),
    [("percona-5.6", "mysql 5.7"), ("mysql-9.9.9", "mysql 9.7"), ("mariadb-13.0", "mariadb 12.3")],
)
def test_a_release_that_is_not_covered_is_said_to_be(run: Runner, server: str, nearest: str) -> None:
    told = " ".join(run("check", "my.cnf", "--server", server).out.split())
    assert f"{server.replace('-', ' ')} is not covered" in told
    assert f"reads values as in the nearest series, {nearest}" in told
