"""The forms for programs and tickets: JSON, SARIF, Markdown, workflow commands."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from advisor.model.rules import Judgement, Verdict
from advisor.report.check import document, github, markdown, sarif

# The part of SARIF 2.1.0 that code-scanning services look at, by hand from the OASIS standard (sections 3.13 to 3.30).
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SARIF: dict[str, Any] = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool", "results"],
                "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "properties": {
                                                "shortDescription": TEXT,
                                                "fullDescription": TEXT,
                                                "help": TEXT,
                                                "defaultConfiguration": {
                                                    "type": "object",
                                                    "properties": {"level": LEVEL},
                                                },
                                            },
                                        },
                                    }
                                },
                            }
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "properties": {
                                "message": TEXT,
                                "level": LEVEL,
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "locations": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "properties": {
                                            "physicalLocation": {
                                                "type": "object",
                                                "required": ["artifactLocation"],
                                                "properties": {
                                                    "region": {
                                                        "type": "object",
                                                        "properties": {"startLine": {"type": "integer", "minimum": 1}},
                                                    }
                                                },
                                            }
                                        },
                                    },
                                },
                                "partialFingerprints": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                                "suppressions": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["kind"],
                                        "properties": {"kind": {"enum": ["inSource", "external"]}},
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


@pytest.fixture
def findings_schema(checkout: Path) -> Any:
    """The shipped schema of the JSON report."""
    return json.loads((checkout / "schemas/findings.json").read_text(encoding="utf-8"))


def test_the_json_report_is_what_its_schema_says(judgement: Judgement, clean: Judgement, findings_schema: Any) -> None:
    for judgements in ([judgement], [clean], [judgement, clean]):
        jsonschema.validate(json.loads(document.render(judgements)), findings_schema)


def test_the_schema_refuses_a_report_that_lacks_a_key(judgement: Judgement, findings_schema: Any) -> None:
    report = json.loads(document.render([judgement]))
    del report["reports"][0]["findings"][0]["severity"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(report, findings_schema)


def test_the_json_report_keeps_unknown_apart_from_findings_and_masks_secrets(judgement: Judgement) -> None:
    (report,) = json.loads(document.render([judgement]))["reports"]
    assert [finding["rule"] for finding in report["findings"]] == ["redo-too-small"]
    assert report["findings"][0]["because"][0] == {
        "name": "fact.redo_capacity_bytes",
        "value": 100663296,
        "unit": "bytes",
        "source": "from innodb_log_file_size",
    }
    assert report["findings"][0]["advice"]["takes_effect"] == "server_restart"
    assert report["unknown"][0]["missing"] == ["host.cpus", "rate.Com_commit"]
    assert report["would_start"] == {"mysql 5.7": False, "mysql 8.0.30+": True, "mysql 8.4": None}
    assert report["summary"]["warning"] == 1
    assert report["summary"]["uncertain"] == 1
    assert "hunter2" not in json.dumps(report)


def test_bytes_that_are_no_text_still_give_valid_json(judgement: Judgement) -> None:
    odd = replace(judgement.findings[0], message="value \udcff")
    json.loads(document.render([replace(judgement, findings=(odd,))]).encode("utf-8"))


def test_sarif_is_valid_and_its_results_point_at_their_rules(judgement: Judgement, clean: Judgement) -> None:
    log = json.loads(sarif.render([judgement, clean]))
    jsonschema.validate(log, SARIF)
    run = log["runs"][0]
    assert run["invocations"][0]["executionSuccessful"] is True
    [result] = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "redo-too-small"
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 12
    assert result["level"] == "note", "a finding that holds for some releases only is no warning yet"


def test_a_sarif_fingerprint_survives_moved_lines_but_not_another_file(judgement: Judgement) -> None:
    finding = judgement.findings[0]
    first = sarif.fingerprint(judgement, finding)
    assert sarif.fingerprint(judgement, replace(finding, line=99, message="other words")) == first
    assert sarif.fingerprint(judgement, replace(finding, file="conf/other.cnf")) != first


def test_sarif_carries_suppressions_and_broken_rules(judgement: Judgement) -> None:
    hidden = replace(judgement.findings[0], suppressed="until spring")
    broken = replace(judgement.findings[0], verdict=Verdict.BROKEN, message="rules/x.yaml: wrong")
    log = json.loads(sarif.render([replace(judgement, findings=(hidden, broken))]))
    jsonschema.validate(log, SARIF)
    run = log["runs"][0]
    assert run["results"][0]["suppressions"] == [{"kind": "external", "justification": "until spring"}]
    assert run["invocations"][0]["executionSuccessful"] is False


def test_markdown_does_not_take_server_names_for_markup(judgement: Judgement) -> None:
    text = markdown.render([judgement])
    assert "| warning | `redo-too-small` |" in text
    assert "- Set innodb\\_redo\\_log\\_capacity = 8G." in text
    assert "- Holds for every possible release except mysql 5.7." in text
    assert "`--host cpus=16`" in text or "--host cpus=16" in text
    assert "hunter2" not in text


COMMAND = r"::(error|warning|notice) file=[^,:]+(,line=\d+)?,title=[\w-]+::.+"


def test_every_finding_is_one_workflow_command_on_one_line(judgement: Judgement) -> None:
    *commands, last = github.render([judgement]).splitlines()
    told = [f for f in judgement.findings if f.verdict in (Verdict.FINDING, Verdict.BROKEN) and not f.suppressed]
    assert len(commands) == len(told) > 0
    assert all(re.fullmatch(COMMAND, line) for line in commands)
    assert last.startswith("advisor: ")


def test_a_file_cannot_write_workflow_commands_of_its_own(judgement: Judgement) -> None:
    finding = judgement.findings[0]
    finding = replace(
        finding, verdict=Verdict.FINDING, file="a,title=x::b.cnf", message="100 %\n::stop-commands::x\x1b"
    )
    *commands, _ = github.render([replace(judgement, findings=(finding,))]).splitlines()
    assert len(commands) == 1
    assert "file=a%2Ctitle=x%3A%3Ab.cnf" in commands[0]
    assert "100 %25%0A::stop-commands" in commands[0]
    assert "\x1b" not in commands[0]


def test_files_are_named_from_the_folder_that_was_checked_out(
    judgement: Judgement, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    finding = replace(judgement.findings[0], verdict=Verdict.FINDING, file=str(tmp_path / "deploy/my.cnf"))
    assert "file=deploy/my.cnf," in github.render([replace(judgement, findings=(finding,))])


def test_what_holds_for_some_releases_only_is_a_notice(judgement: Judgement) -> None:
    finding = replace(judgement.findings[0], verdict=Verdict.FINDING, holds_for=("a",), out_of=2, suppressed="")
    assert github.render([replace(judgement, findings=(finding,))]).startswith("::notice ")
