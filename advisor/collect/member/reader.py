"""How is one member read over an interval? Variables, tables, process lists and counters, each with its time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from advisor.client import Session, connect
from advisor.collect.member.cells import cells
from advisor.collect.member.instruments import WindowPlan, Windows, instruments_on
from advisor.collect.member.kernel_threads import KernelThreads
from advisor.collect.member.lock_waits import lock_waits
from advisor.collect.member.machine import machine_of, pid_here
from advisor.collect.member.machine_load import load_between, read_counters
from advisor.collect.member.missing_privileges import Denials, component_lack, instrument_lacks
from advisor.collect.member.probes import fsync_ms, measure_clock
from advisor.collect.member.process_list import counted
from advisor.collect.member.queries import APPLIER_THREADS, CLIENT_THREADS, SESSION, Query, When, queries_for
from advisor.collect.member.recording import Lack, Recording, release_of
from advisor.collect.member.sessions import SessionSampler
from advisor.errors import ServerError
from advisor.evidence.member.redaction import redact_text, without_secrets
from advisor.model.evidence import Row
from advisor.model.lab import Address
from advisor.model.record import record
from advisor.model.server import Family

_NO_SUCH_TABLE = (1146, 1109)  # the release, or this server, has no such table
_PROCESS = "PROCESS ON *.*"  # without it, the process list shows only our own sessions
_GONE = (0, 2006, 2013, 2055, 1053, 1317)  # the connection is lost, or the server shuts down


@record
class MemberTarget:
    """A member to be read: its name, its address, and the option file that cluster.yaml names ("" for none)."""

    name: str
    address: Address
    option_file: str = ""


@record
class ReadingSchedule:
    """How long and how often to read; 0 seconds: once. `probe_fsync`: also time the members' disks, by writing.

    `states_every_seconds`: how often process lists are read; 0: as often as the counters. `instrument`: switch the
    servers' wait instruments on for short windows meanwhile (MySQL).
    """

    seconds: float = 0.0
    every_seconds: float = 1.0
    probe_fsync: bool = False
    states_every_seconds: float = 0.0
    instrument: bool = False


class Reader:
    """Reads one member into its `recording`; `began` (time.monotonic) is the 0 of all its times."""

    def __init__(self, target: MemberTarget, schedule: ReadingSchedule, began: float, stop: threading.Event) -> None:
        self.recording = Recording(target.name)
        self._target, self._schedule, self._began, self._stop = target, schedule, began, stop
        self._denials = Denials()
        self._empty: set[str] = set()
        self._sessions: SessionSampler | None = None
        self._instrument_lacks: list[Lack] = []
        self._windows: Windows | None = None

    def run(self) -> None:
        """Read until the interval is over or `stop` is set. An error ends up in `recording.failure`."""
        try:
            with (
                connect(self._target.address, answer_seconds=20) as session,
                self._instrumented(session) as self._windows,
            ):
                self._read(session)
        except ServerError as error:
            since = f"connection lost after {self._now():.1f} s: " if self.recording.reached else ""
            self.recording.failure = since + error.message
        denied = self._denials.lacks(self.recording.account)
        self.recording.lacks = [*denied, *self._instrument_lacks, *self.recording.lacks]

    def _instrumented(self, session: Session) -> AbstractContextManager[Windows | None]:
        schedule, account = self._schedule, self._account(session)
        if not schedule.instrument:
            return nullcontext()
        step = schedule.states_every_seconds or schedule.every_seconds
        plan = WindowPlan(schedule.seconds, step)
        return instruments_on(self._target.address, account, self._instrument_lacks, plan)

    def _account(self, session: Session) -> str:
        self.recording.account = str(session.value("SELECT CURRENT_USER()"))
        return self.recording.account

    def _now(self) -> float:
        return time.monotonic() - self._began

    def _read(self, session: Session) -> None:
        for statement in SESSION:
            _tolerate(session, statement)
        recording = self.recording
        recording.clock = measure_clock(session)
        self._account(session)
        recording.variables = without_secrets(session.pairs("SHOW GLOBAL VARIABLES"))
        release = release_of(recording.variables)
        if release is None:
            text = recording.variables.get("version", "")
            raise ServerError(f"{recording.name}: {text!r} is not a version of MySQL or MariaDB")
        queries = queries_for(release.family, release.version)
        if recording.variables.get("performance_schema") == "OFF":
            queries = tuple(query for query in queries if not query.instrumented)
        recording.lacks += instrument_lacks(session, recording.variables)
        pid = pid_here(recording.variables)
        self._sessions = self._sampler(session, release.family, pid)
        self._switch_instruments()
        self._sample(session)
        self._tables(session, queries, When.ENDS)
        recording.once = self._ask(session, (query for query in queries if query.when is When.ONCE))
        if pid is not None:
            recording.host, recording.option_files = machine_of(self._target.option_file, recording.variables, pid)
        if self._schedule.probe_fsync:
            self._probe_fsync(pid)
        before = read_counters(pid, recording.variables["datadir"]) if pid else None
        self._innodb(session)
        self._watch(session, queries)
        if pid and before and self._schedule.seconds and "cpus" in recording.host:
            cpus = float(str(recording.host["cpus"]))
            machine = float(str(recording.host.get("machine.cpus", cpus)))
            after = read_counters(pid, recording.variables["datadir"])
            clients, appliers = (_threads(session, of[release.family]) for of in (CLIENT_THREADS, APPLIER_THREADS))
            recording.host |= load_between(before, after, cpus, machine, clients, appliers)
        recording.lacks += component_lack(release, recording)

    def _probe_fsync(self, pid: int | None) -> None:
        """In the data directory, wherever the logs are, and before the interval so as not to disturb it."""
        median_ms = fsync_ms(Path(self.recording.variables["datadir"])) if pid else None
        if median_ms is not None:
            self.recording.host["fsync_ms"] = round(median_ms, 3)
            return
        why = "its data directory is not writable by this user" if pid else "the server runs on another machine"
        self.recording.lacks.append(
            Lack("host.fsync_ms", why, "run advisor collect --probe-fsync on that machine, as the server's user")
        )

    def _watch(self, session: Session, queries: tuple[Query, ...]) -> None:
        """Sample at whole multiples of the step, however long one sample takes, and at both ends."""
        step, first = self._schedule.every_seconds, self.recording.samples[0][0]
        end = first + self._schedule.seconds
        number = 1
        while first + number * step < end - step / 2 and not self._states_until(session, first + number * step):
            self._sample(session)
            self._tables(session, queries, When.EVERY)
            self._switch_instruments()
            number = max(number + 1, int((self._now() - first) / step) + 1)
        if self._schedule.seconds:
            self._states_until(session, end)
            self._sample(session)
            self._tables(session, queries, When.ENDS)
            self._innodb(session)

    def _wait_until(self, moment: float) -> bool:
        return self._stop.wait(max(0.0, moment - self._now()))

    def _states_until(self, session: Session, moment: float) -> bool:
        """Read process lists at even intervals until the counters are due; True when asked to stop."""
        step = self._schedule.states_every_seconds
        while step and _PROCESS not in self._denials.grants and self._now() + step < moment - step / 2:
            self._switch_instruments()
            if self._wait_until(self._now() + step):
                return True
            at = self._now()
            self.recording.tables.append((at, self._process_list(session)))
        return self._wait_until(moment)

    def _switch_instruments(self) -> None:
        """On or off, as it is due; off where nobody reads the waits."""
        if self._windows and self._sessions:
            began = self.recording.samples[0][0] if self.recording.samples else self._now()
            self._windows.move_to(self._now() - began)
            self._sessions.events = self._windows.on
        elif self._windows:
            self._windows.switch(on=False)

    def _sample(self, session: Session) -> None:
        before = self._now()
        values = without_secrets(session.pairs("SHOW GLOBAL STATUS"))
        self.recording.samples.append(((before + self._now()) / 2, values))

    def _tables(self, session: Session, queries: Iterable[Query], when: When) -> None:
        """Read the tables due now; at the ends also those that are read with every sample."""
        due = [query for query in queries if query.when is when or (query.when is When.EVERY and when is When.ENDS)]
        if when is When.EVERY:
            due = [query for query in due if query.table not in self._empty]
        before = self._now()
        tables = self._ask(session, due)
        if _PROCESS in self._denials.grants:
            self._denials.add(_PROCESS, "processlist")
        else:
            tables |= self._process_list(session, with_locks=True)
        self._empty |= {table for table, rows in tables.items() if not rows}
        self.recording.tables.append(((before + self._now()) / 2, tables))

    def _sampler(self, session: Session, family: Family, pid: int | None) -> SessionSampler | None:
        """None where the account may not read the server's threads; then SHOW PROCESSLIST has to do."""
        kernel = KernelThreads(pid, self.recording.variables) if pid else None
        try:
            sampler = SessionSampler(session, family, self.recording.variables, kernel)
            return sampler if sampler.rows() or family is Family.MARIADB else None  # empty where it is OFF
        except ServerError as error:
            if error.number in _GONE:
                raise
            return None

    def _process_list(self, session: Session, *, with_locks: bool = False) -> dict[str, list[Row]]:
        """The sessions now; with locks, also who waits for whom."""
        sampler = self._sessions
        if sampler is None:
            return {"processlist": counted(session.rows("SHOW FULL PROCESSLIST"))}
        try:
            rows = sampler.rows()
            waits = lock_waits(session, sampler.family, rows) if with_locks else []
        except ServerError as error:
            if error.number in _GONE:
                raise
            self._sessions = None  # whatever this server refuses: the list itself it can give
            return self._process_list(session)
        instrumented: list[Row] = [{"waits": 1}] if self._windows and self._windows.on else []
        tables = {"processlist": counted(rows), "background_threads": sampler.background, "lock_waits": waits,
                  "open_transactions": sampler.transactions, "instrumented": instrumented}  # fmt: skip
        return {name: found for name, found in tables.items() if found or name == "processlist"}

    def _ask(self, session: Session, queries: Iterable[Query]) -> dict[str, list[Row]]:
        tables: dict[str, list[Row]] = {}
        for query in queries:
            if query.grant in self._denials.grants:
                self._denials.add(query.grant, query.table)
                continue
            try:
                rows = session.rows(query.statement)
            except ServerError as error:
                if error.number in _GONE:
                    raise
                if error.number not in _NO_SUCH_TABLE:
                    self._denials.add_error(query.grant, query.table, error)
                continue
            tables[query.table] = [cells(row) for row in rows if _is_on(row)]
        return tables

    def _innodb(self, session: Session) -> None:
        rows = self._ask(session, [Query("innodb_status", "SHOW ENGINE INNODB STATUS", When.ENDS, _PROCESS)])
        for row in rows.get("innodb_status", ()):
            self.recording.innodb_status = redact_text(str(row.get("Status") or ""))


def _is_on(row: Row) -> bool:
    """False for a disabled counter of INNODB_METRICS, whose 0 means nothing; True for rows of other tables."""
    return row.get("STATUS") != "disabled" if "TIME_ENABLED" in row and "STATUS" in row else row.get("ENABLED", 1) != 0


def _tolerate(session: Session, statement: str) -> None:
    try:
        session.run(statement)
    except ServerError as error:
        if error.number in _GONE:
            raise


def _threads(session: Session, statement: str) -> set[str]:
    """The Linux thread ids of some of the server's threads; empty where the privilege is missing."""
    try:
        return {str(row["thread"]) for row in session.rows(statement)}
    except ServerError as error:
        if error.number in _GONE:
            raise
        return set()
