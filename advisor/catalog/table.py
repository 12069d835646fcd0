"""How is a data file read? One line per name, `name<TAB>JSON`; the JSON is parsed only when a name is asked for."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from advisor.catalog.releases import DATA


@cache
def rows(stem: str) -> dict[str, str]:
    """Name → JSON text of `data/<stem>.tsv`; empty when there is no such file. The caller must not change it."""
    path = DATA / f"{stem}.tsv"
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").split("\n")[1:-1]
    return dict(line.split("\t", 1) for line in lines)  # type: ignore[misc]


@cache
def row(stem: str, name: str) -> Any:
    """The parsed JSON of one name, None when it is not there. The caller must not change it."""
    text = rows(stem).get(name)
    return None if text is None else json.loads(text)
