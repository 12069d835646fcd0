"""Which JSON may a program expect? Writes schemas/*.json from the dataclasses of advisor.report and advisor.collect.

`build_schemas.py` writes; `build_schemas.py --check` exits 1 when a file is not up to date.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from advisor.collect.bundle.bundle_format import Statement
from advisor.model.recommendation import Recommendation
from advisor.report.bench.document import MeasurementDocument
from advisor.report.check.document import Documents
from advisor.report.check.option_list import OptionLists
from advisor.report.compare.document import ComparisonDocument
from advisor.report.fleet.document import FleetDocument
from advisor.report.move.document import MoveDocument
from advisor.report.rules.explanation import RuleExplanation
from advisor.report.rules.option_page import OptionExplanation
from advisor.report.timeline.document import TimelineDocument
from advisor.report.tune.document import SCHEMA as TUNING
from advisor.report.watch.document import WatchDocument
from advisor.report.why.document import DiagnosisDocument
from advisor.report.workload.appliers_document import AppliersDocument
from advisor.report.workload.show_document import WorkloadDocument

FOLDER = Path(__file__).resolve().parents[1] / "schemas"
REPORTS: dict[str, tuple[Any, str]] = {
    "appliers": (AppliersDocument, "What `advisor workload appliers --format json` writes"),
    "bundle": (Statement, "The bundle.json that `advisor collect` writes"),
    "comparison": (ComparisonDocument, "What `advisor compare --format json` writes"),
    "diagnosis": (DiagnosisDocument, "What `advisor why --format json` writes"),
    "findings": (Documents, "What `advisor check --format json` writes"),
    "fleet": (FleetDocument, "What `advisor check --fleet --format json` writes"),
    "measurement": (MeasurementDocument, "What `advisor bench --format json` writes"),
    "move": (MoveDocument, "What `advisor move --format json` writes"),
    "option": (OptionExplanation, "What `advisor explain OPTION --format json` writes"),
    "options": (OptionLists, "What `advisor options --format json` writes"),
    "rule": (RuleExplanation, "What `advisor explain RULE --format json` writes"),
    "timeline": (TimelineDocument, "What `advisor timeline --format json` writes"),
    "tuning": (Recommendation, "What `advisor tune --format json` writes"),
    "watch": (WatchDocument, "A line that `advisor watch --format json` writes"),
    "workload": (WorkloadDocument, "What `advisor workload show --format json` writes"),
}
NAMED = {"tuning": TUNING}  # reports that have the name of their schema beside what the class has


def schema_text(name: str) -> str:
    """The schema of one report as it stands in its file."""
    model, title = REPORTS[name]
    schema = TypeAdapter(model).json_schema(mode="serialization")
    if name in NAMED:
        schema["properties"] = {"schema": {"const": NAMED[name], "type": "string"}, **schema["properties"]}
    for definition in [schema, *schema.get("$defs", {}).values()]:
        if "properties" not in definition:
            continue  # words to choose from, or one of several
        _without_underscores(definition)
        definition["required"] = list(definition["properties"])  # every key is always there
        definition["additionalProperties"] = False
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    return json.dumps({**head, **schema, "title": title}, indent=2, ensure_ascii=False) + "\n"


def _without_underscores(definition: dict[str, Any]) -> None:
    """Rename `for_`, which Python cannot call `for`, as the report does."""
    definition["properties"] = {
        name.rstrip("_"): {**schema, "title": schema["title"].rstrip()} if "title" in schema else schema
        for name, schema in definition["properties"].items()
    }


def main() -> int:
    """Write or check every schema; the exit code."""
    stale = 0
    for name in REPORTS:
        file, text = FOLDER / f"{name}.json", schema_text(name)
        if "--check" not in sys.argv:
            FOLDER.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif not file.is_file() or file.read_text(encoding="utf-8") != text:
            print(f"{file.name} is not up to date: run scripts/build_schemas.py", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
