"""How is a data file read? One line per name, `name<TAB>JSON`; the JSON is parsed only when a name is asked for.

In `presence.tsv` other text stands in its place, without tabs.
"""

from __future__ import annotations

import json
import os
from functools import cache

from advisor.annotations import Any
from advisor.catalog.releases import DATA


@cache
def rows(stem: str) -> dict[str, str]:
    """Name → JSON text of `data/<stem>.tsv`; empty when there is no such file. The caller must not change it."""
    path = os.path.join(DATA, f"{stem}.tsv")
    if not os.path.isfile(path):
        return {}
    with open(path, encoding="utf-8") as file:
        cells = file.read().partition("\n")[2].replace("\n", "\t").split("\t")
    return dict(zip(cells[::2], cells[1::2], strict=False))  # the last line end leaves an empty cell


@cache
def row(stem: str, name: str) -> Any:
    """The parsed JSON of one name, None when it is not there. The caller must not change it."""
    text = rows(stem).get(name)
    return None if text is None else json.loads(text)
