"""How do new values reach a running cluster? First the members that apply, last those that write; each is read back.

Only what needs no restart of a server: SET GLOBAL, with threads or group membership stopped around it where needed.
What was applied is reported even if the cluster does not become ready again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, Protocol

from advisor.catalog import canonical, spelling
from advisor.errors import ServerError, UsageError
from advisor.model.applying import Application, AppliedSetting
from advisor.model.record import record
from advisor.model.server import Family, Release, Role, Topology
from advisor.nodes import Node
from advisor.topologies.settings.application import application
from advisor.units import parse_size

_POLL_SECONDS: Final = 0.1
_PROVIDER: Final = "galera."
_NUMBER: Final = re.compile(r"[-+]?\d+(\.\d+)?")
_WRITE: Final = (Role.SOURCE, Role.PRIMARY)
# What the whole group must do at once comes first: it would undo what single members did.
_ORDER: Final = (
    Application.GROUP_RESTART,
    Application.MEMBER_REJOIN,
    Application.APPLIER_RESTART,
    Application.RECEIVER_RESTART,
    Application.PROVIDER_OPTION,
    Application.DYNAMIC,
    Application.NEW_SESSIONS,
)


class ConfigurableTopology(Protocol):
    """The part of a topology module that applying settings needs."""

    @property
    def topology(self) -> Callable[[Family], Topology]:
        """Its id in the model."""
        ...

    def problems(self, nodes: Sequence[Node]) -> list[str]:
        """How the members differ from their planned state."""
        ...

    def paused(self, nodes: Sequence[Node], changing: Sequence[Node], how: Application) -> AbstractContextManager[None]:
        """A context in which everything is stopped that must not run while settings of a kind change."""
        ...


class NotApplied(ServerError):
    """Not everything was applied, or the cluster is not ready any more; `applied` is what was."""

    def __init__(self, message: str, applied: Sequence[AppliedSetting], number: int = 0) -> None:
        done = ", ".join(f"{each.member}: {each.name}" for each in applied) or "nothing"
        super().__init__(message, number=number, hint=f"applied before: {done}")
        self.applied = tuple(applied)


@record
class _Change:
    """One value for one member. `spelled` is the server's own name for it."""

    node: Node
    name: str
    spelled: str
    wanted: str
    how: Application


def apply_settings(
    module: ConfigurableTopology,
    nodes: Sequence[Node],
    settings: Mapping[str, Mapping[str, str]],
    ready_seconds: float = 60.0,
) -> list[AppliedSetting]:
    """Give members new values (member → canonical name → text) and wait until the cluster is ready again.

    UsageError, with nothing changed, for unknown members, unknown names, and settings that need a server restart.
    NotApplied when a server refuses, or the cluster is not ready after `ready_seconds`. Values are read back, because
    the server may have rounded them (`took_effect` compares).
    """
    changes = _changes(module, nodes, settings)
    done: list[AppliedSetting] = []
    try:
        for how in _ORDER:
            kind = [change for change in changes if change.how is how]
            groups = [kind] if how is Application.GROUP_RESTART else _by_member(kind)
            for group in groups:
                if group:
                    with module.paused(nodes, [change.node for change in group[:1]], how):
                        done += [_set(change) for change in group]
    except ServerError as error:
        raise NotApplied(error.message, done, error.number) from None
    _wait(module, nodes, ready_seconds, done)
    return done


def _changes(
    module: ConfigurableTopology, nodes: Sequence[Node], settings: Mapping[str, Mapping[str, str]]
) -> list[_Change]:
    members = {node.name: node for node in sorted(nodes, key=lambda node: node.role in _WRITE)}
    if unknown := sorted(set(settings) - set(members)):
        raise UsageError(f"there is no member {unknown[0]}", hint=f"members: {', '.join(node.name for node in nodes)}")
    changes = []
    for node in members.values():
        for name, wanted in settings.get(node.name, {}).items():
            release = _release(node)
            how = application(name, release, module.topology(release.family))
            if how is Application.SERVER_RESTART:
                raise UsageError(f"{name} needs a restart of {node.name}'s server")
            known = canonical(name, release.family)
            changes.append(_Change(node, name, spelling(known, release) or known, wanted, how))
    return changes


def _release(node: Node) -> Release:
    if node.release is None:
        raise UsageError(f"the release of {node.name} is not known")
    return node.release


def _by_member(changes: Sequence[_Change]) -> list[list[_Change]]:
    members = dict.fromkeys(change.node.name for change in changes)
    return [[change for change in changes if change.node.name == member] for member in members]


def _set(change: _Change) -> AppliedSetting:
    before = current(change.node, change.spelled)
    set_global(change.node, change.spelled, change.wanted)
    after = current(change.node, change.spelled)
    return AppliedSetting(change.node.name, change.name, change.wanted, before, after, change.how)


def set_global(node: Node, spelled: str, wanted: str) -> None:
    """One statement that gives a member a value, by the server's own name; ServerError when it refuses."""
    if spelled.startswith(_PROVIDER):
        node.session.rows("SET GLOBAL wsrep_provider_options = %s", f"{spelled.removeprefix(_PROVIDER)}={wanted}")
    elif (value := _literal(wanted)) is not None:
        node.session.rows(f"SET GLOBAL {spelled} = {value}")
    else:
        node.session.rows(f"SET GLOBAL {spelled} = %s", wanted)


def current(node: Node, spelled: str) -> str:
    """A global variable as SHOW prints it, or a provider option as the provider does; "" when there is none."""
    if spelled.startswith(_PROVIDER):
        text = node.session.pairs("SHOW GLOBAL VARIABLES LIKE 'wsrep_provider_options'")
        options = (part.partition("=") for part in text.get("wsrep_provider_options", "").split(";"))
        return {name.strip(): value.strip() for name, _, value in options}.get(spelled.removeprefix(_PROVIDER), "")
    return node.session.pairs("SHOW GLOBAL VARIABLES WHERE Variable_name = %s", spelled).get(spelled, "")


def _literal(text: str) -> str | None:
    """A number in SQL, without the size letters of option files; None for words, which are quoted."""
    if (size := parse_size(text)) is not None:
        return str(size)
    return text if _NUMBER.fullmatch(text) else None


def took_effect(setting: AppliedSetting) -> bool:
    """Whether the server now has the wanted value, however it spells it; False when it rounded or cut it."""
    wanted, actual = (_plain(text) for text in (setting.wanted, setting.read_back))
    return wanted == actual


def _plain(text: str) -> str | float:
    text = _literal(text) or text.upper()
    words = {"ON": 1.0, "TRUE": 1.0, "YES": 1.0, "OFF": 0.0, "FALSE": 0.0, "NO": 0.0}
    return float(text) if _NUMBER.fullmatch(text) else words.get(text, text)


def _wait(module: ConfigurableTopology, nodes: Sequence[Node], seconds: float, done: Sequence[AppliedSetting]) -> None:
    """Wait until the topology reports no problem; a server that does not answer is a problem, too."""
    until = time.monotonic() + seconds
    while True:
        try:
            problems = module.problems(nodes)
        except ServerError as error:
            problems = [error.message]
        if not problems:
            return
        if time.monotonic() > until:
            raise NotApplied(f"not ready after {seconds:.0f} s: {'; '.join(problems)}", done)
        time.sleep(_POLL_SECONDS)
