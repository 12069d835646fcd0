"""Does a cause say what its own cases expect? Reads the cases below the `---` line of its file and runs them.

A case describes a server like those of rules (advisor.check.cases) and expects `answer` (confidence of at least 0.5),
`candidate` (less, but some), or `none`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from advisor.catalog import parse_release
from advisor.check.cases import build_cluster
from advisor.data import read_documents
from advisor.errors import RuleError
from advisor.model.diagnosis import Cause
from advisor.why.diagnose import diagnose

SURE: Final = 0.5
EXPECTED: Final = ("answer", "candidate", "none")


def run_cases(cause: Cause) -> Iterator[str]:
    """One text per case that gives something else; RuleError for one that is not well formed."""
    documents = list(read_documents(cause.file))
    cases: Any = documents[1] if len(documents) > 1 else []
    if not cases:
        yield f"{cause.id}: has no cases below a `---` line"
    for case in cases:
        if not isinstance(case, dict) or case.get("expect") not in EXPECTED or not case.get("case"):
            raise RuleError(f"a case has `case` and `expect`, one of {', '.join(EXPECTED)}", file=cause.file)
        cluster = build_cluster(case, cause.file)
        target = parse_release(case["server"]) if case.get("server") else ()
        found = diagnose(cluster, target, [cause], ()).causes
        value = found[0].confidence if found else 0.0
        given = "answer" if value >= SURE else "candidate" if value > 0 else "none"
        if given != case["expect"]:
            yield f"{cause.id}: {case['case']}: gives {given} ({value:.2f}), not {case['expect']}"
