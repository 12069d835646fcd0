"""What does a made load consist of? The parts of its file, before they are written."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.model.record import field, record

Points = tuple[tuple[int, float], ...]
"""Numbers and the share of all values up to each; the last share is 1."""


@record
class MadeStatement:
    """Statements that are repeated together, or one of which a part is repeated (`each`).

    `times` is a number or a placeholder; `values` are drawn for each repetition.
    """

    sql: tuple[str, ...]
    times: str
    each: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@record
class MadeTransaction:
    """One kind of transactions; `values` are drawn once for each transaction."""

    name: str
    weight: int
    statements: tuple[str | MadeStatement, ...]
    values: Mapping[str, str] = field(default_factory=dict)


@record
class TableCopy:
    """Which tables became which, and what the copy lacks: for the person who made the load, not for its file."""

    name: str
    tables: tuple[str, ...]
    rows: int
    rows_are: str  # where the number of rows is from
    stated: bool
    has_key: bool
    left_out: tuple[str, ...]


@record
class MadeLoad:
    """The load. A tuple in `prepare` is a statement that fills so many rows. `notes` say what sources could not tell.

    `prepared`: most statements were prepared. `threads` 0: unknown. `kept_share` is the share of the
    transactions whose kinds are in the load.
    """

    threads: int
    spreads: Mapping[str, Points]
    prepare: tuple[str | tuple[str, int], ...]
    reset: tuple[str, ...]
    transactions: tuple[MadeTransaction, ...]
    observed: Mapping[str, float]
    copies: tuple[TableCopy, ...]
    notes: tuple[str, ...]
    kept_share: float
    prepared: bool = False
