"""How is a data file read? One line per name, `name<TAB>JSON`; the JSON is parsed only when a name is asked for."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from advisor.catalog.releases import DATA


@cache
def rows(stem: str) -> dict[str, str]:
    """Name → JSON text of `data/<stem>.tsv`; empty when there is no such file. The caller must not change it."""
    path = os.path.join(DATA, f"{stem}.tsv")
    if not os.path.isfile(path):
        return {}
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")[1:-1]
    return dict(line.split("\t", 1) for line in lines)


@cache
def row(stem: str, name: str) -> Any:
    """The parsed JSON of one name, None when it is not there. The caller must not change it."""
    text = rows(stem).get(name)
    return None if text is None else json.loads(text)
