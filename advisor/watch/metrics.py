"""What does Prometheus read of a watch? The newest second, in its text format, at the address of `--listen`.

The official client writes the format and serves it: it is small, and it follows what newer releases of Prometheus ask
for. https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import UsageError
from advisor.model.diagnosis import Threads
from advisor.model.monitoring.now import ClusterNow, MemberNow
from advisor.model.record import record

if TYPE_CHECKING:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

_ADDRESS: Final = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:]+)\]|(?P<host>[\w.-]+)):(?P<port>\d{1,5})")
# A metric that a member's figures give: the name, the attribute of `MemberNow`, what it is worth, the help.
MEMBER_GAUGES: Final = (
    ("advisor_committed_per_second", "committed_per_second", 1, "Write transactions of this member's own clients"),
    ("advisor_applied_per_second", "applied_per_second", 1, "Transactions of other members that this member applied"),
    ("advisor_lag_milliseconds", "lag_seconds", 1000, "Age of the transaction that is being applied"),
    ("advisor_backlog_transactions", "backlog_transactions", 1, "Transactions of other members, not applied yet"),
    ("advisor_statement_milliseconds", "statement_ms", 1, "Mean time of a statement over ten seconds"),
    ("advisor_running_clients", "running_clients", 1, "Client sessions inside a statement, mean of ten seconds"),
    ("advisor_throttled_share", "throttled_share", 1, "Share of the time that flow control paused writers (Galera)"),
    ("advisor_throttled_clients", "throttled_clients", 1, "Clients that flow control held back (Group Replication)"),
    ("advisor_conflicts_per_second", "conflicts_per_second", 1, "Transactions that certification rolled back"),
)
UP: Final = "advisor_member_up"
IMPAIRED: Final = "advisor_member_impaired"
SUSTAINED: Final = "advisor_sustained_per_second"
THREAD_SECONDS: Final = "advisor_thread_seconds"
CONFIDENCE: Final = "advisor_first_cause_confidence"
RECORDING: Final = "advisor_recording"
RING_BYTES: Final = "advisor_ring_bytes"


@record
class Listen:
    """An address to serve at."""

    host: str
    port: int


def parse_listen(text: str) -> Listen:
    """HOST:PORT; UsageError for anything else."""
    found = _ADDRESS.fullmatch(text)
    if not found or not 0 < int(found["port"]) < 65536:
        raise UsageError(f"--listen {text}: not an address with a port", hint="e.g. 127.0.0.1:9105")
    return Listen(found["six"] or found["host"], int(found["port"]))


class Metrics:
    """Keeps the newest second for a scrape, and adds up the time of threads since the watch began."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now: ClusterNow | None = None
        self._thread_seconds: Counter[tuple[str, Threads, str]] = Counter()

    def take(self, now: ClusterNow) -> None:
        """Take a second."""
        with self._lock:
            passed = min(now.at_seconds - self._now.at_seconds, 5.0) if self._now else 0.0
            self._now = now
            for member in now.members:
                for wait in member.waits:
                    key = (member.member, wait.group, wait.wait_class)
                    self._thread_seconds[key] += wait.threads * max(0.0, passed)  # type: ignore[assignment]

    def collect(self) -> Iterator[Any]:
        """Every metric, as the client's registry asks for them; what is unknown is left out."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        with self._lock:
            now, spent = self._now, {key: float(seconds) for key, seconds in self._thread_seconds.items()}
        if now is None:
            return
        for name, attribute, factor, words in MEMBER_GAUGES:
            yield _of_members(GaugeMetricFamily(name, words, labels=["member"]), now, attribute, factor)
        up = GaugeMetricFamily(UP, "1 while the member can be read", labels=["member", "role"])
        for member in now.members:
            up.add_metric([member.member, str(member.role or "")], float(not member.unreachable))
        yield up
        yield _impaired(GaugeMetricFamily, now)
        yield _times(CounterMetricFamily, spent)
        yield from _of_cluster(GaugeMetricFamily, now)


def _of_members(family: GaugeMetricFamily, now: ClusterNow, attribute: str, factor: float) -> GaugeMetricFamily:
    for member in now.members:
        value = _value(member, attribute)
        if value is not None:
            family.add_metric([member.member], value * factor)
    return family


def _value(member: MemberNow, attribute: str) -> float | None:
    value = getattr(member, attribute)
    return None if value is None else float(value)


def _impaired(family: type[GaugeMetricFamily], now: ClusterNow) -> GaugeMetricFamily:
    impaired = family(IMPAIRED, "1 while its state keeps a member from its part", labels=["member", "state"])
    for member in now.members:
        if member.state is not None:
            impaired.add_metric([member.member, member.state], float(bool(member.state)))
    return impaired


def _times(family: type[CounterMetricFamily], spent: dict[tuple[str, Threads, str], float]) -> CounterMetricFamily:
    words = "Time that a group of threads spent in a class of waits (one process list per second)"
    times = family(THREAD_SECONDS, words, labels=["member", "threads", "wait_class"])
    for (member, group, wait_class), seconds in sorted(spent.items()):
        times.add_metric([member, str(group), wait_class], seconds)
    return times


def _of_cluster(family: type[GaugeMetricFamily], now: ClusterNow) -> Iterator[GaugeMetricFamily]:
    sustained = family(SUSTAINED, "Rate that every member sustained in the last minute")
    if now.sustained_per_second is not None:
        sustained.add_metric([], now.sustained_per_second)
    yield sustained
    confidence = family(
        CONFIDENCE, "Confidence of the cause that `why` names first for the last minute", labels=["cause", "member"]
    )
    if now.first_cause is not None:
        confidence.add_metric([now.first_cause.cause, now.first_cause.member], now.first_cause.confidence)
    yield confidence
    if now.ring is not None:
        yield family(
            RECORDING, "1 while the recording is written, 0 while there is no room", float(not now.ring.stopped)
        )
        yield family(RING_BYTES, "Disk space of the recording, including bundles", now.ring.used_bytes)


@contextmanager
def serving(metrics: Metrics, listen: Listen) -> Iterator[None]:
    """Serve the metrics meanwhile; UsageError when the client is not installed, or the address is taken."""
    try:
        from prometheus_client import CollectorRegistry, start_http_server
    except ImportError:
        raise UsageError("--listen needs prometheus_client", hint="pip install 'advisor[metrics]'") from None
    registry = CollectorRegistry(auto_describe=False)
    registry.register(metrics)  # it has `collect`, which is all that is asked of it
    try:
        server, thread = start_http_server(listen.port, listen.host, registry)
    except OSError as error:
        raise UsageError(f"--listen {listen.host}:{listen.port}: {error.strerror or error}") from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join(2)
