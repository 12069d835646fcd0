"""Write docs/rules/ from the rule files; with --check only say whether the pages are what the rules say."""

from __future__ import annotations

import sys
from pathlib import Path

from advisor.check import load_rules
from advisor.report.rules.rule_page import index_page, rule_page

_FOLDER = Path(__file__).parents[1] / "docs" / "rules"


def pages() -> dict[str, str]:
    """File name → text of every page."""
    rules = load_rules()
    return {"README.md": index_page(rules), **{f"{rule.id}.md": rule_page(rule) for rule in rules}}


def stale() -> list[str]:
    """Pages that are missing, too many, or not what their rule says."""
    wanted = pages()
    there = {file.name: file.read_text(encoding="utf-8") for file in _FOLDER.glob("*.md")}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main() -> None:
    """Write or check."""
    wrong = stale()
    if "--check" in sys.argv:
        sys.exit(f"stale: {', '.join(wrong)}; run `make docs`" if wrong else 0)
    _FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for name in wrong:
        if name in wanted:
            (_FOLDER / name).write_text(wanted[name], encoding="utf-8")
        else:
            (_FOLDER / name).unlink()
    print(f"{len(wrong)} of {len(wanted)} pages written")


if __name__ == "__main__":
    main()
