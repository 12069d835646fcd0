"""How does a load become one like it? Kinds of transactions, reads and tables become a mix that draws them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.annotations import Final
from advisor.model.record import record
from advisor.model.workload.made_load import MadeLoad, MadeTransaction, Points, TableCopy
from advisor.model.workload.transaction import Kind, RowChange
from advisor.workload.maker.copied_table import CopiedTable
from advisor.workload.maker.definitions import TableDefinition, definition_of, logged_definition
from advisor.workload.maker.digests import Digest
from advisor.workload.maker.reads import reads_of
from advisor.workload.maker.statements import KindWriter, read_statement
from advisor.workload.maker.transaction_kinds import GroupTally, KindsTally, KindTally

MOST_KINDS: Final = 60
MOST_ROWS: Final = 100_000
_LARGE_SHARE: Final = 0.005  # of the bytes, for a kind to be kept however rare it is
_ROWS_UNKNOWN: Final = 10_000
_NUMBERS: Final = (
    "DROP TABLE IF EXISTS numbers, digits",
    "CREATE TABLE digits (n INT PRIMARY KEY)",
    "INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)",
    "CREATE TABLE numbers (n INT PRIMARY KEY)",
    (
        "INSERT INTO numbers SELECT 1 + a.n + 10 * b.n + 100 * c.n + 1000 * d.n"
        " FROM digits a, digits b, digits c, digits d"
    ),
)


@record
class LoadSources:
    """What a load is made from, besides the transactions of the log.

    `sizes` are rows by "database.table". `transactions` is how many the server committed meanwhile, those that only
    read included, None where that is not known; `selects` the SELECT statements that counters have, None likewise.
    `threads` is how many clients were active, 0 for unknown. `prepared`: counters say that most statements were
    prepared. `other_time`: there are counters, but none of the time of the log.
    """

    definitions: Mapping[str, TableDefinition]
    sizes: Mapping[str, int]
    digests: Sequence[Digest] = ()
    transactions: int | None = None
    selects: int | None = None
    threads: int = 0
    prepared: bool = False
    other_time: bool = False


def made_load(
    kinds: KindsTally, sources: LoadSources, observed: Mapping[str, float], most_rows: int = MOST_ROWS
) -> MadeLoad:
    """The load; `most_rows` limits the rows of each of its tables."""
    notes: list[str] = []
    spreads: dict[str, Points] = {}
    tables, copies = _copied(kinds.groups, sources, spreads, most_rows)
    chosen = _chosen(kinds.merge())
    logged = sum(kind.count for kind in kinds.kinds.values())
    reads = reads_of(kinds, sources.digests, sources.transactions, sources.selects, notes)
    made = [
        KindWriter(f"k{place}", kind, tables, spreads).transaction(kind.count, reads.of_kind(kind, chosen))
        for place, kind in enumerate(chosen, 1)
    ]
    made += [
        MadeTransaction(f"read {place}", round(read.calls), (read_statement(read, tables[read.group], "1"),))
        for place, read in enumerate(reads.outside, 1)
        if round(read.calls)
    ]
    notes += _unknown(kinds, copies)
    if sources.other_time:
        notes.append("reads, syncs and lock waits per commit: the counters cover a different time than the log")
    if not sources.threads:
        notes.append("how many clients were active at the same time")
    prepare: list[str | tuple[str, int]] = list(_NUMBERS)
    for table in tables:
        prepare += table.prepared()
    return MadeLoad(
        threads=sources.threads, spreads=spreads, prepare=tuple(prepare),
        reset=tuple(each for table in tables for each in table.reset()), transactions=tuple(made),
        observed=observed, copies=tuple(copies), notes=tuple(dict.fromkeys(notes)),
        prepared=sources.prepared or _are_prepared(sources.digests),
        kept_share=sum(kind.count for kind in chosen) / logged if logged else 1.0,
    )  # fmt: skip


def _are_prepared(digests: Sequence[Digest]) -> bool:
    """Whether most statements on tables are prepared ones."""
    calls = [(digest.calls, digest.prepared) for digest in digests if digest.is_read or digest.is_change]
    return 2 * sum(many for many, prepared in calls if prepared) > sum(many for many, _ in calls)


def _chosen(kinds: list[KindTally]) -> list[KindTally]:
    """The most frequent kinds, and rare ones that are large; others are so rare that they change nothing."""
    kinds.sort(key=lambda kind: -kind.count)
    total_bytes = sum(kind.size_bytes for kind in kinds)
    return kinds[:MOST_KINDS] + [kind for kind in kinds[MOST_KINDS:] if kind.size_bytes > _LARGE_SHARE * total_bytes]


def _copied(
    groups: Sequence[GroupTally], sources: LoadSources, spreads: dict[str, Points], most_rows: int
) -> tuple[list[CopiedTable], list[TableCopy]]:
    tables, copies = [], []
    for number, group in enumerate(groups, 1):
        names = sorted(group.tables)
        stated = definition_of(names[0], sources.definitions)
        definition = stated or logged_definition(group.table_map, ())
        known = [sources.sizes[name] for name in names if name in sources.sizes]
        seen = group.choice.rows // len(names)
        rows = round(sum(known) / len(known)) if known else max(seen, _ROWS_UNKNOWN if not seen else 1)
        rows_are = "stated" if known else "estimated" if seen else "assumed"
        rows = min(max(rows, 0 if known else 1), most_rows)
        only_inserted = not group.changes[RowChange.UPDATE] and not group.changes[RowChange.DELETE]
        if only_inserted and not known:
            rows, rows_are = 0, "only inserts"
        rows = rows if only_inserted else max(rows, 1)
        tables.append(CopiedTable(number, group, definition, rows, spreads))
        copies.append(
            TableCopy(
                f"a{number}", tuple(names), rows, rows_are, stated is not None, definition.primary is not None,
                definition.left_out,
            )
        )  # fmt: skip
    return tables, copies


def _unknown(kinds: KindsTally, copies: Sequence[TableCopy]) -> list[str]:
    """What the log and the definitions did not tell."""
    notes = []
    if not all(copy.stated for copy in copies):
        notes.append(
            "indexes besides primary keys, signs and character sets of some tables: SHOW CREATE TABLE has them"
        )
    if not all(copy.has_key for copy in copies):
        notes.append("the primary keys of some tables, and so which of their rows are changed again and again")
    if any(copy.left_out for copy in copies):
        left_out = dict.fromkeys(words for copy in copies for words in copy.left_out)
        notes.append(f"the effect of {', '.join(left_out)}: the copy has none")
    statements = kinds.left_out[Kind.STATEMENTS] + kinds.left_out[Kind.MIXED]
    if statements:
        notes.append(f"what {statements:,} transactions change that are logged as statements")
    return notes
