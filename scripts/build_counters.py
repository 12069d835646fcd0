"""Write the names of status counters that real servers print into advisor/catalog/data/counters.txt.

Usage: build_counters.py DUMP… where each DUMP is SHOW GLOBAL STATUS output (text), or recorded evidence (JSON with a
`global_status` mapping). Names only; rules that read a counter not in this list are refused when they are loaded.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

_ROW = re.compile(r"\|?\s*([A-Z][A-Za-z0-9_]*_[A-Za-z0-9_]+|Connections|Queries|Questions|Uptime|wsrep_\w+)\s*[|\t]")
_TARGET = Path(__file__).parents[1] / "advisor/catalog/data/counters.txt"


def counters(path: Path) -> set[str]:
    """Counter names in one dump."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".json":
        data = json.loads(text)
        return set(data.get("global_status", ())) if isinstance(data, dict) else set()
    return {match[1] for line in text.splitlines() if (match := _ROW.match(line))}


def main(paths: list[str]) -> None:
    """Merge the names of all dumps with those already there."""
    names = set(_TARGET.read_text().split()) if _TARGET.exists() else set()
    for path in paths:
        names |= counters(Path(path))
    kept = sorted(name for name in names if ":" not in name and name.lower() != "key" and name != "Variable_name")
    _TARGET.write_text("\n".join(kept) + "\n")
    print(f"{len(kept)} counters in {_TARGET.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
