"""History: what a monitoring system kept of the members of a cluster, as series of readings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.model.record import field, record


@record
class Series:
    """Readings of one quantity of one member, in order of time.

    `quantity`: "status.Com_commit", "variable.sync_binlog", "replica.Seconds_Behind_Source", "host.memory_bytes", …
    `item` tells series of the same quantity apart (a CPU, a disk, a channel); "" where there is only one. `at_seconds`
    are epoch times. A moment without a reading is not in it, so gaps show as long steps.
    """

    quantity: str
    item: str
    at_seconds: Sequence[float]
    values: Sequence[float]
    source: str = ""


@record
class MemberHistory:
    """What is kept of one member. `texts` are what is kept as text ("version", "source_host"), the newest of each."""

    name: str
    series: Mapping[str, tuple[Series, ...]]
    texts: Mapping[str, str] = field(default_factory=dict)


@record
class Absent:
    """Quantities that the source does not hold for some members, and the flag that would bring them."""

    what: str
    members: tuple[str, ...]
    flag: str = ""


@record
class History:
    """The members over one stretch of time. `source` is what the user named, without secrets.

    `absent`: what the monitoring was never told to collect. `problems`: what it holds but cannot be used.
    """

    source: str
    begin_seconds: float
    end_seconds: float
    members: tuple[MemberHistory, ...]
    absent: tuple[Absent, ...] = ()
    problems: tuple[str, ...] = ()
