"""How much does the load of a run resemble the one that it was made from? Reads the binary log of the measured time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.read_server import Section, ServerLogReading
from advisor.binlog.source.server_log import Place, end_of_log
from advisor.client import connect
from advisor.errors import AdvisorError
from advisor.model.lab import Address
from advisor.model.record import record
from advisor.model.workload.fidelity import Fidelity
from advisor.workload.fidelity import fidelity
from advisor.workload.figures import counted_figures, figures_of
from advisor.workload.maker.server import key_columns

_ANSWER_SECONDS: Final = 60.0


@record
class Compared:
    """The result; None with the reason where the server's log cannot be read."""

    fidelity: Fidelity | None
    why_not: str = ""


@record
class _Look:
    place: Place
    status: Mapping[str, str]


class LoadComparison:
    """Looks at one writer when the measured time begins and when it ends, and reads its log afterwards."""

    def __init__(self, address: Address, observed: Mapping[str, float], rate_offered: bool) -> None:
        self._address, self._observed, self._rate_offered = address, observed, rate_offered
        self._looks: list[_Look] = []
        self._why_not = ""

    def look(self) -> None:
        """Note where the log ends, and the counters. A server that refuses does not end the run."""
        try:
            with connect(self._address, answer_seconds=_ANSWER_SECONDS) as session:
                self._looks.append(_Look(end_of_log(session), session.pairs("SHOW GLOBAL STATUS")))
        except AdvisorError as error:
            self._why_not = error.message

    def compared(self, seconds: float) -> Compared:
        """The comparison, of a measured time of so many seconds."""
        if len(self._looks) != 2:
            return Compared(None, self._why_not)
        before, after = self._looks
        try:
            with connect(self._address, answer_seconds=_ANSWER_SECONDS) as session:
                wanted = Wanted(keys=True, key_columns=key_columns(session))
            reading = ServerLogReading(self._address, wanted, Section(before.place, after.place))
            ours = figures_of(reading, reading.transactions(), seconds)
        except AdvisorError as error:
            return Compared(None, error.message)
        transactions = round(ours.get("commits_per_second", 0.0) * seconds)
        ours |= counted_figures(before.status, after.status, transactions)
        return Compared(fidelity(self._observed, ours, self._rate_offered))
