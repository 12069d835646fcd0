"""Does each case of a cause give the result it expects? Runs the cases below the `---` line of the cause's file.

A case describes a server as the cases of rules do (advisor/check/cases.py) and expects `answer` (confidence of at
least 0.5), `candidate` (less, but not zero), or `none`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from advisor.catalog import parse_release
from advisor.check.cases import build_cluster
from advisor.data import read_documents
from advisor.errors import RuleError
from advisor.model.diagnosis import SURE, Cause
from advisor.why.diagnose import diagnose

EXPECTED: Final = ("answer", "candidate", "none")


def run_cases(cause: Cause) -> Iterator[str]:
    """One message per case with another outcome; RuleError for a malformed case."""
    documents = list(read_documents(cause.file))
    cases: Any = documents[1] if len(documents) > 1 else []
    if not cases:
        yield f"{cause.id}: no cases below a `---` line"
    for case in cases:
        if not isinstance(case, dict) or case.get("expect") not in EXPECTED or not case.get("case"):
            raise RuleError(f"a case needs `case`, and `expect`: {', '.join(EXPECTED)}", file=cause.file)
        cluster = build_cluster(case, cause.file)
        target = parse_release(case["server"]) if case.get("server") else ()
        ranked = diagnose(cluster, target, [cause], ()).causes
        value = ranked[0].by_signs if ranked else 0.0  # a case tests the signs of its own cause
        outcome = "answer" if value >= SURE else "candidate" if value > 0 else "none"
        if outcome != case["expect"]:
            yield f"{cause.id}: {case['case']}: gives {outcome} ({value:.2f}), not {case['expect']}"
