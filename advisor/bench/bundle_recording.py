"""How does a run become a bundle? All members are read while it is measured; its result is added at the end.

Reading adds to the load: about 20 ms of each member's time, once a second.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from advisor.collect.bundle.bundle_files import pack
from advisor.collect.bundle.pseudonyms import Pseudonyms
from advisor.collect.bundle.redacted_recordings import redact
from advisor.collect.bundle.save import check_place, save, save_anywhere
from advisor.collect.bundle.stated_roles import complete
from advisor.collect.gather import Gathered, gather
from advisor.collect.login import Login
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.targets import of_cluster_file
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Measurement, Phase, Second

_EVERY_SECONDS = 1.0


class BundleRecorder:
    """Reads the members during the first measured phase; UsageError when `path` cannot be written."""

    def __init__(self, cluster: ClusterFile, seconds: float, path: Path) -> None:
        check_place(path)
        self._wanted = of_cluster_file(cluster, Login())
        self._path = path
        # It begins when the first measured second is over, and ends before the load does.
        self._schedule = ReadingSchedule(max(seconds - 2.0, 1.0), _EVERY_SECONDS)
        self._gathered: list[Gathered] = []
        self._thread: threading.Thread | None = None

    def take(self, second: Second) -> None:
        """Start reading with the first second of the measured phase."""
        if self._thread is None and second.phase is Phase.MEASURE:
            self._thread = threading.Thread(target=self._read, name="bundle", daemon=True)
            self._thread.start()

    def _read(self) -> None:
        self._gathered.append(gather(self._wanted.members, self._schedule))

    def write(self, measurement: Measurement) -> Path:
        """Write the bundle of a finished run, with pseudonyms for names; the path it was written to."""
        if self._thread is None:
            return self._path
        self._thread.join()
        gathered, wanted = redact(self._gathered[0], self._wanted, Pseudonyms(os.urandom(16)))
        files = complete(pack(gathered, wanted, redacted=True), wanted)
        files |= {"observations.yaml": observations(measurement).encode()}
        return save_anywhere(lambda at: save(files, at), self._path)


def observations(measurement: Measurement) -> str:
    """What the run knows and no server counter shows, in the keys of the bundle format."""
    load = measurement.load
    lines = [f"throughput_per_second: {measurement.peak_per_second:.1f}", f"clients: {load.threads}"]
    latencies = {name: ms for name, ms in measurement.latency_ms.items() if name in ("mean", "p50", "p95", "p99")}
    if latencies:
        lines += ["latency_ms:", *(f"  {name}: {ms:.2f}" for name, ms in latencies.items())]
    if "fsync_ms_before" in measurement.host:
        lines.append(f"fsync_ms: {measurement.host['fsync_ms_before']:.3f}")
    if "rows_per_transaction" in load.settings:
        lines.append(f"rows_per_transaction: {load.settings['rows_per_transaction']}")
    return "\n".join(lines) + "\n"
