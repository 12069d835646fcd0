"""What does a code-scanning service read? SARIF 2.1.0, one run over all paths."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import advisor
from advisor.model.rules import Finding, Judgement, Rule, Severity, Verdict
from advisor.report.check.markdown import advice_lines
from advisor.report.words.values import file_of, place

_LEVELS: Final = {Severity.INFO: "note", Severity.WARNING: "warning", Severity.CRITICAL: "error"}
_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def render(judgements: Sequence[Judgement]) -> str:
    """All findings as one SARIF run; a rule that broke is a notification of a run that did not succeed."""
    import json

    results = [(j, f) for j in judgements for f in j.findings if f.verdict is Verdict.FINDING]
    broken = [f for j in judgements for f in j.findings if f.verdict is Verdict.BROKEN]
    rules = list({finding.rule.id: finding.rule for _, finding in results}.values())
    index = {rule.id: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {**_DRIVER, "rules": [_rule(rule) for rule in rules]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not broken,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": finding.message or finding.rule.id}} for finding in broken
                ],
            }
        ],
        "results": [_result(judgement, finding, index) for judgement, finding in results],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8") + "\n"


_DRIVER: Final = {
    "name": "advisor",
    "version": advisor.__version__,
    "semanticVersion": advisor.__version__,
    "informationUri": "https://github.com/advisor/advisor",
}


def _rule(rule: Rule) -> dict[str, Any]:
    see = "".join(f"\n- <{link}>" if link.startswith("http") else f"\n- {link}" for link in rule.see)
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why or rule.title},
        "help": {"text": rule.why or rule.title, "markdown": f"{rule.why}\n{see}".strip() or rule.title},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.area]},
    }


def _result(judgement: Judgement, finding: Finding, index: dict[str, int]) -> dict[str, Any]:
    advice = advice_lines(finding, judgement)
    result: dict[str, Any] = {
        "ruleId": finding.rule.id,
        "ruleIndex": index[finding.rule.id],
        "level": _LEVELS[finding.severity] if finding.certain else "note",
        "message": {"text": "\n".join([finding.message or finding.rule.title, *advice])},
        "locations": [_location(finding.file or file_of(judgement.path), finding.line)],
        "partialFingerprints": {"advisorFinding/v1": fingerprint(judgement, finding)},
        "properties": {"certain": finding.certain, "member": finding.member, "holdsFor": list(finding.holds_for)},
    }
    if finding.suppressed:
        result["suppressions"] = [{"kind": "external", "justification": finding.suppressed}]
    return result


def fingerprint(judgement: Judgement, finding: Finding) -> str:
    """Names a finding across runs: by rule, file, member and item, never by line, which moves."""
    parts = (finding.rule.id, place(finding.file or judgement.path), finding.member, finding.item)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _location(file: str, line: int) -> dict[str, Any]:
    from urllib.parse import quote

    near = place(file)
    artifact = {"uri": quote(near) if not near.startswith("/") else f"file://{quote(near)}"}
    # A finding about a default has no line: viewers show it at the beginning of the file, and warn without a region.
    return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line or 1}}}
