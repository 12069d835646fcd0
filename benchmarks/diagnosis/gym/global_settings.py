"""How is a global variable set and restored, and do connections that are open already notice?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from advisor.client import Session
from advisor.errors import LabError, ServerError
from advisor.lab.fault_injection.applier_settings import appliers_stopped
from advisor.lab.fault_injection.target import FaultTarget, literal

_NAME: Final = re.compile(r"[a-z][a-z0-9_.]*")
_SIZE: Final = re.compile(r"(\d+)([KMG])")
_FACTORS: Final = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_GLOBAL_ONLY: Final = 1238  # ER_INCORRECT_GLOBAL_LOCAL_VAR
_PROVIDER_OPTIONS: Final = "wsrep_provider_options"


def set_globals(target: FaultTarget, values: Mapping[str, str], *, without_appliers: bool) -> dict[str, str | None]:
    """Set variables in their order; what they were, the last first. If one cannot be set, the others are restored."""
    before: dict[str, str | None] = {}

    def each(session: Session) -> None:
        for name, value in values.items():
            old = _value(session, name, value)
            _set(session, name, value)
            before.update({name: old})

    try:
        _with_session(target, each, without_appliers=without_appliers)
    except ServerError as error:
        restore(target, dict(reversed(before.items())), without_appliers=without_appliers)
        raise LabError(f"{target.member.name} cannot be set: {error.message}") from None
    return dict(reversed(before.items()))


def restore(target: FaultTarget, before: Mapping[str, str | None], *, without_appliers: bool) -> None:
    """Set variables to what they were, None to their default."""

    def each(session: Session) -> None:
        for name, value in before.items():
            _set(session, name, value)

    if before:
        _with_session(target, each, without_appliers=without_appliers)


def is_of_session(target: FaultTarget, name: str) -> bool:
    """Whether each connection has a value of its own, which it took when it was opened."""
    with target.session() as session:
        try:
            session.value(f"SELECT @@SESSION.{name}")
        except ServerError as error:
            if error.number == _GLOBAL_ONLY:
                return False
            raise
    return True


def _with_session(target: FaultTarget, work: Callable[[Session], None], *, without_appliers: bool) -> None:
    if without_appliers:
        with appliers_stopped(target), target.session() as session:
            work(session)
    else:
        with target.session() as session:
            work(session)


def _value(session: Session, name: str, wanted: str) -> str | None:
    if not _NAME.fullmatch(name):
        raise LabError(f"{name!r} is not the name of a variable")
    value = session.value(f"SELECT @@GLOBAL.{name}")
    if name == _PROVIDER_OPTIONS and value is not None:
        # All of them could not be set again: some can only be given at the start.
        now = dict(_pairs(str(value)))
        return ";".join(f"{key}={now[key]}" for key, _ in _pairs(wanted) if key in now)
    return None if value is None else str(value)


def _pairs(options: str) -> list[tuple[str, str]]:
    found = [item.partition("=") for item in options.split(";") if "=" in item]
    return [(key.strip(), value.strip()) for key, _, value in found]


def _set(session: Session, name: str, value: str | None) -> None:
    size = _SIZE.fullmatch(value or "")
    text = str(int(size[1]) * _FACTORS[size[2]]) if size else value
    session.run(f"SET GLOBAL {name} = {'DEFAULT' if text is None else literal(text)}")
