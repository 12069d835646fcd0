"""`advisor mcp` as an assistant sees it: the SDK's own client, over the pipes of a real process."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

from advisor.cli.mcp.tools import TOOLS

Ask = Callable[..., CallToolResult]
SECRET_LINE = "postgres:Wrong-word-9"
COMPOSE = """services:
  db:
    image: mysql:8.4
    volumes:
      - ../other/hba.conf:/etc/mysql/conf.d/a.cnf
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Path:
    """The folder that the tools may read; next to it a file that they may not."""
    top = tmp_path_factory.mktemp("mcp")
    (top / "other").mkdir()
    (top / "other/hba.conf").write_text(f"{SECRET_LINE}\n", encoding="utf-8")
    own = top / "own"
    own.mkdir()
    shutil.copy(checkout / "examples/group-replication-member.cnf", own / "member.cnf")
    (own / "secret.cnf").write_text("[mysqld]\nreport_password = Wrong-word-9\nsync_binlog = 0\n", encoding="utf-8")
    (own / "including.cnf").write_text(f"[mysqld]\n!include {top}/other/hba.conf\n", encoding="utf-8")
    (own / "link.cnf").symlink_to(top / "other/hba.conf")
    (own / "compose.yaml").write_text(COMPOSE, encoding="utf-8")
    return own


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[tuple[Ask, list[Any]]]:
    """How to call a tool, and the tools that are listed."""
    program = StdioServerParameters(
        command=sys.executable, args=["-m", "advisor", "mcp", "."], cwd=folder, env={"XDG_CACHE_HOME": str(folder)}
    )
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(program)) as connected:

        def ask(tool: str, **arguments: Any) -> CallToolResult:
            result: CallToolResult = portal.call(connected.call_tool, tool, arguments)
            return result

        yield ask, portal.call(connected.list_tools).tools


@pytest.fixture
def ask(client: tuple[Ask, list[Any]]) -> Ask:
    """Call a tool."""
    return client[0]


def text_of(result: CallToolResult) -> str:
    """All that an assistant reads."""
    return "\n".join(getattr(block, "text", "") for block in result.content)


def test_the_tools_are_listed_with_schemas_and_as_read_only(client: tuple[Ask, list[Any]], checkout: Path) -> None:
    listed = {tool.name: tool for tool in client[1]}
    assert list(listed) == ["check", "why", "compare", "explain"]
    assert all(tool.annotations.read_only_hint for tool in listed.values())
    for tool in TOOLS:
        jsonschema.Draft202012Validator.check_schema(listed[tool.name].input_schema)
        assert listed[tool.name].output_schema["type"] == "object"
    findings = json.loads((checkout / "schemas/findings.json").read_text(encoding="utf-8"))
    assert listed["check"].output_schema == findings


def test_check_gives_the_report_of_the_command(ask: Ask) -> None:
    result = ask("check", paths=["member.cnf"], server="mysql-8.0.36")
    assert json.loads(text_of(result)) == result.structured_content
    (report,) = result.structured_content["reports"]
    assert report["target"] == "member.cnf"
    assert report["would_start"] == {"mysql 8.0.36": False}
    assert "option-removed" in {finding["rule"] for finding in report["findings"]}


def test_texts_are_one_server(ask: Ask) -> None:
    texts = [
        {"name": "my.cnf", "text": "[mysqld]\nsync_binlog = 1\n"},
        {"name": "variables.txt", "text": "Variable_name\tValue\nversion\t8.4.8\nsync_binlog\t0\n"},
    ]
    (report,) = ask("check", texts=texts, only=["binlog-not-synced"]).structured_content["reports"]
    assert report["releases"] == ["mysql 8.4.8"]
    assert [finding["rule"] for finding in report["findings"]] == ["binlog-not-synced"]


def test_several_paths_are_judged_one_by_one_and_none_is_lost(ask: Ask) -> None:
    result = ask("check", paths=["member.cnf", "nowhere.cnf", "secret.cnf"], server="mysql-8.0.36")
    assert [report["target"] for report in result.structured_content["reports"]] == ["member.cnf", "secret.cnf"]
    assert text_of(result).splitlines()[-1].startswith("not read: nowhere.cnf: there is no such file or folder")


def test_why_uses_what_the_user_measured(ask: Ask) -> None:
    texts = [{"name": "my.cnf", "text": "[mysqld]\nsync_binlog = 1\ninnodb_flush_log_at_trx_commit = 1\nlog_bin\n"}]
    observe = ["throughput_per_second=600", "clients=64", "fsync_ms=1.6"]
    told = ask("why", texts=texts, server="mysql-8.4.8", host="cpus=32", observe=observe).structured_content
    assert told["schema"] == "advisor/diagnosis/1"
    assert told["causes"] or told["differential"]


def test_compare_says_what_decides(ask: Ask) -> None:
    def side(name: str, value: int) -> dict[str, Any]:
        texts = [{"name": "my.cnf", "text": f"[mysqld]\nsync_binlog = {value}\n"}]
        return {"name": name, "texts": texts, "server": "mysql-8.4.8"}

    told = ask("compare", sides=[side("old", 0), side("new", 1)]).structured_content
    assert told["comparable"] is False
    assert "sync of the binary log 0 against 1" in told["answer"]


def test_explain_knows_rules_and_options(ask: Ask) -> None:
    rule = ask("explain", word="redo-small-for-pool").structured_content
    assert (rule["schema"], rule["area"]) == ("advisor/rule/1", "redo")
    assert rule["advice"][0]["for"] == {"mysql": ">=8.0.30"}
    option = ask("explain", word="sync_binlog", server="mysql-8.4.8", paths=["secret.cnf"]).structured_content
    assert option["releases"][0]["in_effect"] == "0"


@pytest.mark.parametrize("tool", ["check", "why", "explain"])
def test_no_password_is_in_an_answer(ask: Ask, tool: str) -> None:
    word = {"word": "report_password"} if tool == "explain" else {}
    result = ask(tool, paths=["secret.cnf"], server="mysql-8.0.36", **word)
    assert not result.is_error
    assert "Wrong-word-9" not in text_of(result)


@pytest.mark.parametrize("path", ["../other/hba.conf", "/etc/passwd", "including.cnf", "link.cnf", "compose.yaml"])
@pytest.mark.parametrize("tool", ["check", "why"])
def test_files_outside_the_folder_are_not_read(ask: Ask, folder: Path, tool: str, path: str) -> None:
    result = ask(tool, paths=[path])
    assert result.is_error
    assert f"only files in {folder.resolve()} may be read" in text_of(result)
    assert "postgres" not in text_of(result)


def test_a_text_does_not_make_the_tools_read_files(ask: Ask, folder: Path) -> None:
    hidden = folder.parent / "other/hba.conf"
    included = ask("check", texts=[{"name": "my.cnf", "text": f"[mysqld]\n!include {hidden}\n"}])
    named = ask("check", texts=[{"name": str(hidden), "text": "[mysqld]\nsync_binlog = 1\n"}])
    mounted = ask("check", texts=[{"name": "compose.yaml", "text": (folder / "compose.yaml").read_text("utf-8")}])
    assert not included.is_error
    assert not named.is_error
    assert mounted.is_error
    assert "postgres" not in text_of(included) + text_of(named) + text_of(mounted)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("check", {}, "give exactly one of paths, texts or running"),
        ("check", {"paths": ["a"], "running": True}, "give exactly one of paths, texts or running"),
        ("check", {"running": True}, "the user named no running cluster"),
        ("check", {"path": "my.cnf"}, "path: "),
        ("check", {"paths": "my.cnf"}, "paths: Input should be a valid list"),
        ("check", {"paths": ["a\0b"]}, "a?b: not a usable file name"),
        ("check", {"paths": ["member.cnf"], "server": "mysql-1"}, "there is no mysql 1"),
        ("check", {"paths": ["member.cnf"], "only": ["redo-smal"]}, "there is no rule 'redo-smal'"),
        ("check", {"paths": ["x"] * 201}, "201 paths; at most 200 are read"),
        ("check", {"texts": [{"name": "a", "text": "x" * (5 << 20)}]}, "5,242,880 characters; at most 4,194,304"),
        ("check", {"texts": [{"name": "a", "text": "\0"}]}, "not a text file"),
        ("why", {"paths": ["nowhere"]}, "nowhere: there is no such file or folder"),
        ("compare", {"sides": []}, "sides: "),
        ("explain", {"word": "sync_binlgo"}, "there is no rule and no option 'sync_binlgo'; did you mean sync_binlog"),
        ("tune", {}, "there is no tool 'tune'"),
    ],
)
def test_what_cannot_be_answered_is_one_line(ask: Ask, tool: str, arguments: dict[str, Any], message: str) -> None:
    result = ask(tool, **arguments)
    assert result.is_error
    assert message in text_of(result)
    assert "\n" not in text_of(result)
    assert "Traceback" not in text_of(result)


def test_nothing_is_written_next_to_the_files(ask: Ask, folder: Path) -> None:
    before = {path.name for path in folder.iterdir()} - {"advisor"}  # its cache of parsed rules
    ask("check", paths=["member.cnf"])
    assert {path.name for path in folder.iterdir()} - {"advisor"} == before
