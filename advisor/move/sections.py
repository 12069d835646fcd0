"""Which groups does only the release of now read, so that the target would silently pass over their options?"""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.options import Argument, Reading
from advisor.model.record import record, replace
from advisor.model.server import Release
from advisor.options.groups import read_as, server_groups

READ_BY_ALL: Final = "mysqld"
"""The one group that the servers of every release read."""


@record
class AdoptedReading:
    """The reading as if groups of the release of now alone were [mysqld], and the names of these groups.

    `alone`: groups that only the target reads. Their options come into force with the move.
    """

    reading: Reading
    groups: tuple[str, ...]
    alone: tuple[str, ...]


def adopt(reading: Reading, origin: Release, target: Release) -> AdoptedReading:
    """The reading that the target is to have; `cut` is settled for the target."""
    mine, theirs = server_groups(origin), server_groups(target)
    read = replace(read_as(reading, target), cut=None)
    groups = {argument.group for argument in read.arguments}
    lost = tuple(sorted(group for group in groups if group.lower() in mine - theirs))
    alone = tuple(sorted(group for group in groups if group.lower() in theirs - mine))
    arguments = tuple(_adopted(argument, lost) for argument in read.arguments) if lost else read.arguments
    return AdoptedReading(replace(read, arguments=arguments), lost, alone)


def _adopted(argument: Argument, lost: tuple[str, ...]) -> Argument:
    return replace(argument, group=READ_BY_ALL) if argument.group in lost else argument
