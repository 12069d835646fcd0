"""How is a data file read? One line per name, `name<TAB>JSON`; the JSON is parsed only when a name is asked for.

In `presence.tsv` other text stands in its place, without tabs.
"""

from __future__ import annotations

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
    return None if text is None else parsed(text)


def parsed(text: str) -> Any:
    """The value of a JSON text without blanks around it."""
    return _scanner()(text, 0)[0]


@cache
def _scanner() -> Any:
    """The part of `json` that reads a value: importing all of it compiles six patterns, 3 % of a plain check."""
    try:
        from _json import make_scanner
    except ImportError:  # another Python than CPython
        from json import JSONDecoder

        return JSONDecoder().scan_once  # type: ignore[attr-defined]
    return make_scanner(_Decoder)  # type: ignore[arg-type]


class _Decoder:
    """What a scanner asks its decoder for, as `json.loads` has it."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float
