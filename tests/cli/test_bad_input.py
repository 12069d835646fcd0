"""What cannot be read, written or understood gives one message with a hint and a code, never a traceback."""

from __future__ import annotations

import io
import os
import tarfile
import time
from pathlib import Path

import pytest

from tests.cli.runs import MY_CNF, Runner

ONLY = ("--rules", "ours", "--only", "tiny-redo", "--server", "mysql-8.0.28")


@pytest.mark.parametrize(
    ("path", "content", "says"),
    [
        ("nowhere.cnf", None, "there is no such file or folder"),
        ("/dev/zero", None, "neither a file nor a folder"),
        ("bin.cnf", bytes(range(256)), "not a text file"),
        ("cut.txt", b"+---+---+\n| Variable_name | Va", "it does not contain the output of a known SHOW statement"),
        ("big.cnf", b"[mysqld]\ninit_connect=" + b"x" * (17 << 20), "not an option file"),
        ("x.tar.gz", b"\x1f\x8bzzzz", "not a readable archive"),
        ("bundle/bundle.json", b'{"members": [{"name": "../x"}]}', "is not a valid member name"),
        ("bundle/bundle.json", b'{"members": ', "bundle/bundle.json:1: not JSON"),
    ],
)
def test_unusable_input_gives_code_2_and_one_message(run: Runner, path: str, content: bytes | None, says: str) -> None:
    if content is not None:
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_bytes(content)
    done = run("check", path.removesuffix("/bundle.json"))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"advisor: {path.removesuffix('/bundle.json')}")
    assert says in done.err
    assert done.err.count("advisor: ") == 1


@pytest.mark.parametrize("server", ["mysql-5.7.30", "mariadb-10.6.5", ""])
def test_signs_that_look_like_digits_and_are_none_break_nothing(run: Runner, server: str) -> None:
    options = ("binlog_format", "expire_logs_days", "log_warnings", "sync_binlog", "innodb_undo_logs", "sql_mode")
    Path("odd.cnf").write_text("[mysqld]\n" + "".join(f"{name} = ²\n" for name in options), encoding="utf-8")
    assert run("check", "odd.cnf", *(("--server", server) if server else ())).code in (0, 1)
    Path("odd.txt").write_text("Variable_name\tValue\nversion\t8.0.36\nsync_binlog\t²\n", encoding="utf-8")
    assert run("check", "odd.txt").code == 0


def test_two_bad_paths_of_three_leave_the_third_judged(run: Runner) -> None:
    done = run("check", "no.cnf", "my.cnf", "neither.cnf", *ONLY)
    assert done.code == 2
    assert "tiny-redo" in done.out
    assert [line.split(": ")[1] for line in done.err.splitlines() if "advisor" in line] == ["no.cnf", "neither.cnf"]


def test_a_link_that_leads_to_itself_is_no_file_and_a_loop_of_folders_ends(run: Runner) -> None:
    Path("self").symlink_to("self")
    assert "it is a link to self" in run("check", "self").err
    Path("folder").mkdir()
    Path("folder/loop").symlink_to(".")
    Path("folder/my.cnf").write_text(MY_CNF, encoding="utf-8")
    assert run("check", "folder", *ONLY).out.count("tiny-redo") == 1


def test_a_hostile_archive_is_read_without_what_leads_out(run: Runner) -> None:
    with tarfile.open("b.tgz", "w:gz") as archive:
        for name, data in (("members/a/my.cnf", MY_CNF.encode()), ("../../etc/x", b"x"), ("/etc/y", b"y")):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        for name, kind in (("members/a/variables.txt", tarfile.SYMTYPE), ("members/a/status.txt", tarfile.LNKTYPE),
                           ("members/a/dev", tarfile.CHRTYPE)):  # fmt: skip
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
    done = run("check", "b.tgz", *ONLY)
    assert done.code == 1
    assert done.out.count("the path leads outside the bundle: not read") == 2
    assert done.out.count("a link or a device: not read") == 3
    assert "root:" not in done.out


@pytest.mark.parametrize("line", [b"x", b"a\t", b"=", b"-", b"+-", b"| ", b" ", b"#", b"a: ", b"'"])
@pytest.mark.parametrize("start", [b"", b"Variable_name\tValue\ninit_connect\t", b"# Instances ######\n"])
def test_one_endless_line_takes_no_time(run: Runner, start: bytes, line: bytes) -> None:
    seconds = []
    for piece in (b"port = 3306\n", line):
        Path("long").write_bytes(start + piece * ((1 << 19) // len(piece)))
        begin = time.process_time()
        assert run("check", "long", *ONLY).code in (0, 1, 2)
        seconds.append(time.process_time() - begin)
    # Much like as much text in short lines; time that grew with the square of a line would be minutes.
    assert seconds[1] < 20 * seconds[0]


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ("when: innodb_bufer_pool_size < 1\n", ":4: unknown name 'innodb_bufer_pool_size'"),
        ("when: status.Uptme < 1\n", ":4: unknown name 'status.Uptme'\n  hint: did you mean status.Uptime?"),
        ("wehn: sync_binlog < 1\n", ":4: "),
        ("when: sync_binlog <\n", ":4: "),
        (" when: sync_binlog < 1\n", ":4: "),
    ],
)
def test_a_rule_with_a_slip_is_told_with_its_line(run: Runner, rule: str, place: str) -> None:
    text = "id: typo\ntitle: T\nseverity: warning\n{}finding: x\nwhy: y\nsee: [https://dev.mysql.com/doc/]\n"
    Path("ours/redo/typo.yaml").write_text(text.format(rule), encoding="utf-8")
    done = run("check", "my.cnf", *ONLY)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith(f"advisor: ours/redo/typo.yaml{place}")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--write-baseline", "nowhere/b.json"), "nowhere/b.json: cannot be written: No such file or directory"),
        (("--baseline", "b.json"), "b.json: cannot be read: No such file or directory"),
        (("--baseline", "my.cnf"), "my.cnf: not a baseline"),
        (("--baseline", "bin"), "bin: not a baseline"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_told_with_a_hint(run: Runner, words: tuple[str, str], says: str) -> None:
    Path("bin").write_bytes(b"\xd0\xff")
    done = run("check", "my.cnf", *ONLY, *words)
    assert done.code == 2
    assert done.err.startswith(f"advisor: {says}")
    assert "\n  hint: " in done.err


def test_a_read_only_file_is_not_replaced(run: Runner) -> None:
    Path("my.cnf").chmod(0o444)
    done = run("check", "my.cnf", *ONLY, "--fix")
    assert done.code == 2
    assert done.err == (
        "advisor: my.cnf: is read-only; nothing was changed\n"
        "  hint: chmod u+w my.cnf, or make the change above by hand\n"
    )
    assert Path("my.cnf").read_text(encoding="utf-8") == MY_CNF
    assert sorted(os.listdir()) == ["my.cnf", "ours"]


NASTY = """[mysqld]
innodb_log_file_size = 48M
password hunter2-a
report_password: hunter2-b
init_connect = "SET PASSWORD = 'hunter2-c'"
wsrep_cluster_address = gcomm://u:hunter2-d@h1,h2
plugin_load_add = 'x=y;password=hunter2-e'
loose-group_replication_recovery_pasword = hunter2-f
--password=hunter2-g
#password = hunter2-h
"""


@pytest.mark.parametrize("server", ["mysql-8.0.28", "mariadb-10.11"])
@pytest.mark.parametrize(
    "words", [("check", "-v"), ("check", "--diff"), ("check", "--fix"), ("options",), ("options", "--format", "json")]
    + [("check", "--format", form) for form in ("json", "sarif", "markdown")]
)  # fmt: skip
def test_passwords_are_shown_nowhere_however_they_are_written(run: Runner, words: tuple[str, ...], server: str) -> None:
    Path("my.cnf").write_text(NASTY, encoding="utf-8")
    done = run(words[0], "my.cnf", *words[1:], "--server", server)
    assert "hunter2" not in done.out + done.err
    assert done.out
