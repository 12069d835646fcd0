"""Which instruments of the Performance Schema are switched on while a member is read, and back afterwards?

    python -m advisor.collect.member.instruments < task

Waits for mutexes, conditions and files are instrumented, not timed: sampling only asks which wait a thread is in. What
was on before is on afterwards, also after an error or if we are killed; a server's restart resets it as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from advisor.client import connect
from advisor.collect.member.recording import Lack
from advisor.errors import ServerError
from advisor.model.lab import Address
from advisor.restorer import restored_by, task_left

# What a thread waits for; rows read through a handler and sockets say less than the kernel does.
_WAITS: Final = "(NAME LIKE 'wait/synch/%' OR NAME LIKE 'wait/io/file/%' OR NAME LIKE 'wait/lock/%')"
_CONSUMERS: Final = ("global_instrumentation", "thread_instrumentation", "events_waits_current")
_SETUP: Final = "performance_schema.setup_instruments"
_GRANT: Final = (
    "GRANT SELECT, UPDATE ON performance_schema.setup_instruments TO {account}; "
    "GRANT SELECT, UPDATE ON performance_schema.setup_consumers TO {account}"
)


@contextmanager
def instruments_on(address: Address, account: str, lacks: list[Lack]) -> Iterator[None]:
    """Inside this block the member's wait instruments are on; where that cannot be, `lacks` says why."""
    try:
        task = _task(address)
    except ServerError as error:
        lacks.append(_refused(error, account))
        yield
        return
    if not task:
        why = "performance_schema is OFF, so --instrument has nothing to switch on"
        lacks.append(Lack("wait events", why, "performance_schema = ON in the option file, then restart"))
        yield
        return
    with restored_by("advisor.collect.member.instruments", task):
        try:
            _switch_on(address)
        except ServerError as error:
            lacks.append(_refused(error, account))
        try:
            yield
        finally:
            restore(task)


def _refused(error: ServerError, account: str) -> Lack:
    user, _, host = account.rpartition("@")
    return Lack("wait events", error.message, _GRANT.format(account=f"'{user}'@'{host}'"))


def _task(address: Address) -> dict[str, Any]:
    """What has to be restored; empty where there is no Performance Schema."""
    with connect(address) as session:
        if str(session.value("SELECT @@GLOBAL.performance_schema")) not in ("1", "ON"):
            return {}
        off = f"FROM {_SETUP} WHERE ENABLED = 'NO' AND {_WAITS}"
        instruments = session.rows(f"SELECT NAME AS name, TIMED AS timed {off}")
        consumers = session.rows("SELECT NAME AS name FROM performance_schema.setup_consumers WHERE ENABLED = 'NO'")
    return {
        "login": dict(vars(address)),
        "timed": {timed: [str(row["name"]) for row in instruments if row["timed"] == timed] for timed in ("YES", "NO")},
        "consumers": [str(row["name"]) for row in consumers if row["name"] in _CONSUMERS],
    }


def _switch_on(address: Address) -> None:
    with connect(address) as session:
        session.run(
            f"UPDATE {_SETUP} SET ENABLED = 'YES', TIMED = 'NO' WHERE ENABLED = 'NO' AND {_WAITS}",
            f"UPDATE performance_schema.setup_consumers SET ENABLED = 'YES' WHERE NAME IN ({_quoted(_CONSUMERS)})",
        )


def restore(task: Mapping[str, Any]) -> None:
    """Switch off what was off; doing it twice does no harm."""
    off = [
        f"UPDATE {_SETUP} SET ENABLED = 'NO', TIMED = '{timed}' WHERE NAME IN ({_quoted(names)})"
        for timed, names in task["timed"].items()
        if names
    ]
    if task["consumers"]:
        names = _quoted(task["consumers"])
        off.insert(0, f"UPDATE performance_schema.setup_consumers SET ENABLED = 'NO' WHERE NAME IN ({names})")
    with connect(Address(**task["login"])) as session:
        session.run(*off)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)


def main() -> None:
    """Restore unless all went well."""
    if task := task_left():
        restore(task)


if __name__ == "__main__":
    main()
