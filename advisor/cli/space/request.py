"""Which search space is meant by what was said on the command line?"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.catalog import parse_release
from advisor.errors import UsageError
from advisor.model.record import record
from advisor.model.tuning import Guarantee, SearchSpace
from advisor.tune.space.host import host_from_options, this_host
from advisor.tune.space.resolve import load_space, restrict


@record
class Asked:
    """The words of the command line that choose a space."""

    topology: str
    server: str
    host: Sequence[str]
    pins: Sequence[str]
    excluded: Sequence[str]
    allowed: Sequence[str]
    folders: Sequence[str]


def space_asked_for(asked: Asked) -> SearchSpace:
    """The space of a topology, restricted as asked; UsageError when a word is not understood.

    Of a series without a point release the newest is meant.
    """
    if not asked.server:
        raise UsageError("for which server?", hint="--server mysql-9.7.4")
    release = parse_release(asked.server)[-1]
    machine = host_from_options(asked.host, this_host())
    space = load_space(asked.topology.replace("-", "_"), release, machine, asked.folders)
    return restrict(space, dict(map(_pin, asked.pins)), asked.excluded, relaxed_guarantees(asked.allowed))


def relaxed_guarantees(words: Sequence[str]) -> list[Guarantee]:
    """`relaxed-durability` → Promise.DURABILITY; UsageError for any other word."""
    known = {f"relaxed-{promise}": promise for promise in Guarantee}
    for word in words:
        if word not in known:
            raise UsageError(f"--allow {word!r}: no such promise", hint=f"there are {', '.join(known)}")
    return [known[word] for word in words]


def _pin(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError(f"--pin {text!r} is not NAME=VALUE", hint="--pin innodb_flush_neighbors=0")
    return name.strip(), value.strip()
