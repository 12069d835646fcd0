"""What does `--fix` make worse in an option file?

It must not keep a server from starting, weaken durability, change what its plan does not name, or change the file
again when it is run again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from advisor.errors import AdvisorError
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Member
from advisor.model.options import Settings
from advisor.model.record import record
from advisor.model.rules import Rule
from advisor.model.server import Release
from advisor.options import read_text, resolve
from advisor.units import as_option
from benchmarks.check.mutations import Case
from tests.check.fixes import Fixing, fixing

# Worst first; a value that is not listed (sync_binlog = 100) is between the first and the last.
DURABLE: Final = {
    "sync_binlog": ("0", "1"),
    "innodb_flush_log_at_trx_commit": ("0", "2", "1"),
    "innodb_doublewrite": ("OFF", "DETECT_ONLY", "ON"),
    "innodb_checksum_algorithm": ("none", "crc32"),
    "innodb_log_checksums": ("OFF", "ON"),
}


@record
class Outcome:
    """What `--fix` makes of a file: its new text ("": nothing changes), the settings it names, and what went wrong.

    `refused`: why no change was planned; the file stays as it is.
    """

    text: str = ""
    named: frozenset[str] = frozenset()
    problem: str = ""
    refused: str = ""


def outcome(file: Path, of: Case, rules: Sequence[Rule]) -> Outcome:
    """Plan the changes of a case in `file`, apply them, and plan again."""
    _write(file, of.text)
    try:
        first = fixing(file, of.server, rules)
    except AdvisorError as error:
        return Outcome(refused=str(error))
    except Exception as error:  # what nobody foresaw is a fault like the others
        return Outcome(problem=f"{type(error).__name__}: {error}")
    if not first.text:
        return Outcome()
    named = names_of(first)
    problem = harm(of.text, first.text, [release for release, _ in first.plan.by_release], named)
    if not problem:
        _write(file, first.text)
        problem = _changed_again(file, of.server, rules)
    return Outcome(first.text, named, problem)


def names_of(planned: Fixing) -> frozenset[str]:
    """Every setting that a change of the plan names, in the old and the new spelling."""
    named = {change.name for _, changes in planned.plan.by_release for change in changes}
    named |= {"wsrep_provider_options"} if any(name.startswith("galera.") for name in named) else set()
    old = {name.replace("replica", "slave").replace("source", "master") for name in named}
    new = {name.replace("slave", "replica").replace("master", "source") for name in named}
    return frozenset(named | old | new)


def harm(before: str, after: str, releases: Sequence[Release], named: frozenset[str]) -> str:
    """What the changed text makes worse for one of these releases, "" for nothing. `named` settings may change."""
    for release in releases:
        old, new = _as_server(before, release), _as_server(after, release)
        if new.would_start is False and old.would_start is not False:
            return f"{release.name} no longer starts"
        for name in DURABLE:
            was, now = strength(name, old, release), strength(name, new, release)
            if was is not None and now is not None and now < was:
                return f"{name} is weaker on {release.name}"
        was_in_force = {name: setting.value for name, setting in old.effective.items()}
        now_in_force = {name: setting.value for name, setting in new.effective.items()}
        for name in sorted((was_in_force.keys() | now_in_force.keys()) - named):
            if was_in_force.get(name) != now_in_force.get(name):
                return (
                    f"{name} changed from {was_in_force.get(name)!r} to {now_in_force.get(name)!r} on {release.name},"
                    " which no change names"
                )
    return ""


def strength(name: str, settings: Settings, release: Release) -> int | None:
    """How durable the setting in effect is, as a place in DURABLE; None where it is not known."""
    value = MemberFacts(Member("server"), release, settings, None).value(name)
    if settings.effective.get(name) is None:
        value = MemberFacts(Member("server", options=read_text("")), release, settings, None).value(name)
    shown = as_option(value).lower() if isinstance(value, str | int | bool) else None
    words = [word.lower() for word in DURABLE[name]]
    if shown is None:
        return None
    return words.index(shown) if shown in words else 1


def _changed_again(file: Path, server: str, rules: Sequence[Rule]) -> str:
    try:
        again = fixing(file, server, rules)
    except AdvisorError:
        return ""  # a change that cannot be proved is refused, and the file stays as it is
    return "a second run changes the file again" if again.text else ""


def _as_server(text: str, release: Release) -> Settings:
    return resolve(read_text(text, "my.cnf"), release)


def _write(file: Path, text: str) -> None:
    with file.open("w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        stream.write(text)
