"""How does `advisor workload make` turn its sources into a load? From files, or from a running server."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from advisor.atomic_write import write_file
from advisor.binlog.read import Reading
from advisor.binlog.read_server import Section
from advisor.cli.shared.duration import parse_seconds
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.cli.workload.read_log import LogRequest, reading_of, reading_of_section
from advisor.client import Session, connect
from advisor.collect.dsn import parse_dsn
from advisor.collect.login import find_login
from advisor.errors import InputError, UsageError
from advisor.model.lab import Address
from advisor.model.record import record, replace
from advisor.model.workload.made_load import MadeLoad
from advisor.report.workload import make_text
from advisor.workload.figures import FiguresTally, are_prepared, counted, counted_figures
from advisor.workload.maker import load_file, server
from advisor.workload.maker.compose import LoadSources, made_load
from advisor.workload.maker.definitions import KeyColumns
from advisor.workload.maker.digests import Digest, between
from advisor.workload.maker.sources import Counters, SortedSources, sorted_sources
from advisor.workload.maker.transaction_kinds import KindsTally

_ANSWER_SECONDS: Final = 60.0
_EPOCH: Final = 1e9  # seconds; smaller times count from the beginning of a recording


@record
class MakeRequest:
    """Which sources, the most rows of a table, and where to write, None for stdout."""

    log: LogRequest
    most_rows: int
    output: Path | None


class _Tallies:
    """What is taken from the log in one pass; `counted` are the transactions while the counters ran."""

    def __init__(self, reading: Reading, counters: Counters | None) -> None:
        self.kinds, self.figures = KindsTally(reading.tables), FiguresTally()
        self.count = self.counted = 0
        begin, end = (counters.begin_seconds, counters.end_seconds) if counters else (0.0, 0.0)
        for transaction in reading.transactions():
            self.count += 1
            self.counted += begin <= transaction.at_seconds <= end
            self.figures.add(transaction)
            self.kinds.add(transaction)
        if not self.kinds.kinds:
            raise InputError(
                "no transaction in this log changes rows that a load could be made of", file=reading.paths[0],
                hint="the log must be in row format, and have transactions in this time",
            )  # fmt: skip


def make(request: MakeRequest, colour: Colour, width: int) -> None:
    """Write the load to its file and a summary to stdout; without a file, the load to stdout."""
    if request.output and not request.output.absolute().parent.is_dir():
        raise UsageError(f"-o {request.output}: the folder does not exist")
    load = _from_server(request) if request.log.dsn else _from_files(request)
    text = load_file.render(load)
    if request.output is None:
        write(text)
        return
    write_file(request.output, text)
    write(make_text.render(load, str(request.output), page_for(sys.stdout, colour, width)))


def _from_files(request: MakeRequest) -> MadeLoad:
    found = sorted_sources(request.log.sources)
    if not found.logs:
        raise UsageError("name a binary log too: only it shows which changes form a transaction")
    keys = KeyColumns(found.definitions, request.log.key_columns)
    with reading_of(replace(request.log, sources=found.logs, key_columns=keys)) as reading:
        tallies = _Tallies(reading, found.counters)
        observed = {**_read_share(found.digests), **tallies.figures.figures(reading)}
        told = _counted(found, tallies, observed.get("commits_per_second", 0.0))
        observed |= told
        sources = LoadSources(
            found.definitions, found.sizes, found.digests, selects=_selects(found, tallies, observed),
            prepared=bool(found.counters and are_prepared(found.counters.before, found.counters.after)),
            other_time=bool(found.counters and not told),
        )  # fmt: skip
        return made_load(tallies.kinds, sources, observed, request.most_rows)


def _from_server(request: MakeRequest) -> MadeLoad:
    """With --for, counters and digests are those of that time; of the past a server has only its log."""
    log = request.log
    address = parse_dsn(log.dsn, find_login(str(log.password_file or ""), os.environ))
    with connect(address, answer_seconds=_ANSWER_SECONDS) as session:
        log = replace(log, key_columns={**server.key_columns(session), **log.key_columns})
    if log.seconds:
        return _from_now_on(replace(request, log=log), address)
    with reading_of(log) as reading:
        tallies = _Tallies(reading, None)
    observed = tallies.figures.figures(reading)
    with connect(address, answer_seconds=_ANSWER_SECONDS) as session:
        sources = _tables(session, tallies)
        digests = server.look(session).digests
    if digests:
        sources = replace(sources, digests=digests)
        observed |= _read_share(digests)
    return made_load(tallies.kinds, sources, observed, request.most_rows)


def _from_now_on(request: MakeRequest, address: Address) -> MadeLoad:
    if request.log.begin or request.log.end or request.log.last or request.log.sources:
        raise UsageError("--for cannot be combined with files, --from, --to or --last")
    seconds = parse_seconds(request.log.seconds, "--for")
    with connect(address, answer_seconds=_ANSWER_SECONDS + seconds) as session:
        before = server.look(session)
        time.sleep(seconds)
        after = server.look(session)
    with reading_of_section(request.log, address, Section(before.place, after.place)) as reading:
        tallies = _Tallies(reading, None)
    observed = tallies.figures.figures(reading, after.at_seconds - before.at_seconds)
    observed |= counted_figures(before.status, after.status, tallies.count)
    with connect(address, answer_seconds=_ANSWER_SECONDS) as session:
        sources = _looked(_tables(session, tallies), before, after)
    return made_load(tallies.kinds, sources, observed, request.most_rows)


def _tables(session: Session, tallies: _Tallies) -> LoadSources:
    names = [name for group in tallies.kinds.groups for name in group.tables]
    return LoadSources(server.definitions(session, names), server.sizes(session, names))


def _looked(sources: LoadSources, before: server.ServerLook, after: server.ServerLook) -> LoadSources:
    """What happened between two looks."""
    digests: tuple[Digest, ...] = ()
    if before.digests is not None and after.digests is not None:
        digests = between(before.digests, after.digests)
    transactions = None
    if before.transactions is not None and after.transactions is not None:
        transactions = after.transactions - before.transactions
    selects = counted(before.status, after.status, "Com_select")
    active = sum(digest.seconds for digest in digests) / (after.at_seconds - before.at_seconds)
    return replace(
        sources, digests=digests, transactions=transactions, selects=selects, threads=round(active),
        prepared=are_prepared(before.status, after.status),
    )  # fmt: skip


def _read_share(digests: tuple[Digest, ...]) -> dict[str, float]:
    reads = sum(digest.calls for digest in digests if digest.is_read)
    together = reads + sum(digest.calls for digest in digests if digest.is_change)
    return {"read_share": reads / together} if together else {}


def _counted(found: SortedSources, tallies: _Tallies, per_second: float) -> dict[str, float]:
    """Figures of the counters; these know no transactions, so those of the log in the same time count."""
    counters = found.counters
    if counters is None:
        return {}
    return counted_figures(counters.before, counters.after, _in_time(counters, tallies, per_second))


def _in_time(counters: Counters, tallies: _Tallies, per_second: float) -> int:
    if counters.begin_seconds >= _EPOCH:
        return tallies.counted
    return round(per_second * (counters.end_seconds - counters.begin_seconds))


def _selects(found: SortedSources, tallies: _Tallies, observed: Mapping[str, float]) -> int | None:
    """SELECT statements for all transactions of the log, where counters tell how many there were for some of them."""
    counters = found.counters
    in_time = _in_time(counters, tallies, observed.get("commits_per_second", 0.0)) if counters else 0
    if counters is None or not in_time:
        return None
    return round(counted(counters.before, counters.after, "Com_select") * tallies.count / in_time)
