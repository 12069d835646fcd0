"""Which instruments of the Performance Schema are switched on while a member is read, when, and back afterwards?

    python -m advisor.collect.member.instruments < task

Waits for mutexes, latches and conditions are counted, not timed: sampling only asks which wait a thread is in. They are
on in short windows only, because every mutex that a thread takes costs time then, whether it waits or not. What was off
before is off after each window, also after an error or if we are killed; a server's restart resets it as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from advisor.client import Session, connect
from advisor.collect.member.recording import Lack
from advisor.errors import ServerError
from advisor.model.lab import Address
from advisor.restorer import restored_by, task_left

# What a thread waits for, but for two kinds. Mutexes of one session or transaction are a quarter to a half of all that
# are taken, and hardly ever waited for. Files are left as they are: their counters are read over the whole interval.
_WAITS: Final = (
    "(NAME LIKE 'wait/synch/%' OR NAME LIKE 'wait/lock/%')"
    " AND NAME NOT LIKE 'wait/synch/mutex/sql/THD::%' AND NAME <> 'wait/synch/mutex/innodb/trx_mutex'"
)
_CONSUMERS: Final = ("global_instrumentation", "thread_instrumentation", "events_waits_current")
_SETUP: Final = "performance_schema.setup_instruments"
_WINDOW_SECONDS: Final = 1.0
_WINDOW_EVERY: Final = 5  # times its length: on for a fifth of the time
_LISTS_OF_A_WINDOW: Final = 2
_GRANT: Final = (
    "GRANT SELECT, UPDATE ON performance_schema.setup_instruments TO {account}; "
    "GRANT SELECT, UPDATE ON performance_schema.setup_consumers TO {account}"
)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


_ON: Final = (
    f"UPDATE {_SETUP} SET ENABLED = 'YES', TIMED = 'NO' WHERE ENABLED = 'NO' AND {_WAITS}",
    f"UPDATE performance_schema.setup_consumers SET ENABLED = 'YES' WHERE NAME IN ({_quoted(_CONSUMERS)})",
)


class WindowPlan:
    """When instruments are on: for one window in each period, at a random place.

    A load that itself is periodic is neither missed nor hit each time. `step_seconds`: from one process list to the
    next.
    """

    def __init__(self, seconds: float, step_seconds: float) -> None:
        self._length = max(_WINDOW_SECONDS, _LISTS_OF_A_WINDOW * step_seconds)
        self._period = max(self._length, min(_WINDOW_EVERY * self._length, seconds))
        self._number, self._begin = -1.0, 0.0  # the current period, and when its window begins

    def due(self, seconds: float) -> bool:
        """Whether they are to be on so long after the beginning; asked in the order of time."""
        number, since = divmod(seconds, self._period)
        if number != self._number:
            self._number, self._begin = number, random.uniform(0.0, self._period - self._length)
        return self._begin <= since <= self._begin + self._length


class Windows:
    """Switches a member's instruments on and off as time passes; `on`: they are on."""

    def __init__(self, session: Session, task: Mapping[str, Any], plan: WindowPlan) -> None:
        self.on = False
        self.refused: ServerError | None = None
        self._session, self._task, self._plan = session, task, plan

    def move_to(self, seconds: float) -> None:
        """Have them on or off as it is due so long after the beginning."""
        self.switch(on=self._plan.due(seconds))

    def switch(self, *, on: bool) -> None:
        """On or off; after a refusal nothing is tried again."""
        if on == self.on or self.refused:
            return
        try:
            self._session.run(*(_ON if on else _off(self._task)))
            self.on = on
        except ServerError as error:
            self.refused = error


@contextmanager
def instruments_on(address: Address, account: str, lacks: list[Lack], plan: WindowPlan) -> Iterator[Windows | None]:
    """Inside this block the member's wait instruments may be on, for as long as `Windows` have them on.

    None where they cannot be switched, which `lacks` tells, or are on anyway.
    """
    try:
        task = _task(address)
    except ServerError as error:
        lacks.append(_refused(error, account))
        yield None
        return
    if isinstance(task, Lack):
        lacks.append(task)
        yield None
        return
    with restored_by("advisor.collect.member.instruments", task), connect(address) as session:
        windows = Windows(session, task, plan)
        try:
            yield windows if any(task["timed"].values()) or task["consumers"] else None
        finally:
            restore(task)
            if windows.refused:
                lacks.append(_refused(windows.refused, account))


def _refused(error: ServerError, account: str) -> Lack:
    user, _, host = account.rpartition("@")
    return Lack("wait events", error.message, _GRANT.format(account=f"'{user}'@'{host}'"))


def _task(address: Address) -> dict[str, Any] | Lack:
    """What has to be restored, or why nothing can be switched on."""
    with connect(address) as session:
        if "mariadb" in str(session.value("SELECT VERSION()")).lower():
            return Lack("wait events", "--instrument reads those of MySQL only")
        if str(session.value("SELECT @@GLOBAL.performance_schema")) not in ("1", "ON"):
            why = "performance_schema is OFF, so --instrument has nothing to switch on"
            return Lack("wait events", why, "performance_schema = ON in the option file, then restart")
        off = f"FROM {_SETUP} WHERE ENABLED = 'NO' AND {_WAITS}"
        instruments = session.rows(f"SELECT NAME AS name, TIMED AS timed {off}")
        consumers = session.rows("SELECT NAME AS name FROM performance_schema.setup_consumers WHERE ENABLED = 'NO'")
    return {
        "login": dict(vars(address)),
        "timed": {timed: [str(row["name"]) for row in instruments if row["timed"] == timed] for timed in ("YES", "NO")},
        "consumers": [str(row["name"]) for row in consumers if row["name"] in _CONSUMERS],
    }


def restore(task: Mapping[str, Any]) -> None:
    """Switch off what was off; doing it twice does no harm."""
    with connect(Address(**task["login"])) as session:
        session.run(*_off(task))


def _off(task: Mapping[str, Any]) -> list[str]:
    off = [
        f"UPDATE {_SETUP} SET ENABLED = 'NO', TIMED = '{timed}' WHERE NAME IN ({_quoted(names)})"
        for timed, names in task["timed"].items()
        if names
    ]
    if task["consumers"]:
        names = _quoted(task["consumers"])
        off.insert(0, f"UPDATE performance_schema.setup_consumers SET ENABLED = 'NO' WHERE NAME IN ({names})")
    return off


def main() -> None:
    """Restore unless all went well."""
    if task := task_left():
        restore(task)


if __name__ == "__main__":
    main()
