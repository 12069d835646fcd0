"""How does a run become a bundle? All members are read while it is measured; what it came to is written beside.

The reading adds to the load of the members: about 20 ms of each, once a second.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from advisor.collect.bundle.pack import pack
from advisor.collect.bundle.pseudonyms import Pseudonyms
from advisor.collect.bundle.read_back import complete
from advisor.collect.bundle.redact import redact
from advisor.collect.bundle.save import check_place, save, save_anywhere
from advisor.collect.gather import Gathered, gather
from advisor.collect.login import Login
from advisor.collect.member.reader import Span
from advisor.collect.targets import of_cluster_file
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Measurement, Phase, Second

_EVERY_SECONDS = 1.0


class Recorder:
    """Reads the members during the first measured phase it hears of; UsageError when `path` cannot be written."""

    def __init__(self, cluster: ClusterFile, seconds: float, path: Path) -> None:
        check_place(path)
        self._wanted = of_cluster_file(cluster, Login())
        self._path = path
        # It begins when the first measured second is over, and ends before the load does.
        self._span = Span(max(seconds - 2.0, 1.0), _EVERY_SECONDS)
        self._gathered: list[Gathered] = []
        self._thread: threading.Thread | None = None

    def hear(self, second: Second) -> None:
        """Begin with the measured phase."""
        if self._thread is None and second.phase is Phase.MEASURE:
            self._thread = threading.Thread(target=self._read, name="bundle", daemon=True)
            self._thread.start()

    def _read(self) -> None:
        self._gathered.append(gather(self._wanted.targets, self._span))

    def write(self, found: Measurement) -> Path:
        """Write the bundle of a run that ended, names replaced; where it is, as `save_anywhere` has it."""
        if self._thread is None:
            return self._path
        self._thread.join()
        gathered, wanted = redact(self._gathered[0], self._wanted, Pseudonyms(os.urandom(16)))
        files = complete(pack(gathered, wanted, redacted=True), wanted)
        files |= {"observations.yaml": observations(found).encode()}
        return save_anywhere(lambda at: save(files, at), self._path)


def observations(found: Measurement) -> str:
    """What the run knows that no counter shows, in the words of the bundle format."""
    lines = [f"throughput_per_second: {found.peak_per_second:.1f}", f"clients: {found.load.threads}"]
    known = {name: value for name, value in found.latency_ms.items() if name in ("mean", "p50", "p95", "p99")}
    if known:
        lines += ["latency_ms:", *(f"  {name}: {value:.2f}" for name, value in known.items())]
    if "fsync_ms_before" in found.host:
        lines.append(f"fsync_ms: {found.host['fsync_ms_before']:.3f}")
    if "rows_per_transaction" in found.load.settings:
        lines.append(f"rows_per_transaction: {found.load.settings['rows_per_transaction']}")
    return "\n".join(lines) + "\n"
