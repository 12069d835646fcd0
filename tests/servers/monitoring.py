"""Which Prometheus and exporters can tests use, and how do they watch a lab? Those of Debian or Ubuntu, unpacked.

They go into prefixes of the user's own. `mysqld_exporter` is fetched twice: the release of the machine's suite, which
knows no statement that MySQL 8.4 renamed, and a later one. Everything listens on free ports of 127.0.0.1 and ends with
the context.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from advisor.cluster_file import read_cluster
from advisor.errors import LabError
from advisor.lab import folders
from advisor.lab.servers.install import Recipe, follow
from advisor.model.record import record

_ELSEWHERE: Final = "install the packages `prometheus`, `prometheus-mysqld-exporter` and `prometheus-node-exporter`"
# Left out: what starts services, and the web pages; the programs are linked with nothing but the C library.
_LEFT_OUT: Final = (
    "adduser", "init-system-helpers", "libc6", "fonts-glyphicons-halflings", "libjs-bootstrap4",
    "libjs-eonasdan-bootstrap-datetimepicker", "libjs-jquery", "libjs-jquery-hotkeys", "libjs-moment",
    "libjs-moment-timezone", "libjs-mustache", "libjs-popper.js", "libjs-rickshaw",
)  # fmt: skip


def _recipe(package: str, *suites: str) -> Recipe:
    return Recipe(((package,),), {"debian": suites, "ubuntu": ("",)}, _ELSEWHERE, _LEFT_OUT)


RECIPES: Final = {
    "prometheus": _recipe("prometheus", ""),
    "node_exporter": _recipe("prometheus-node-exporter", ""),
    "mysqld_exporter": _recipe("prometheus-mysqld-exporter", "unstable", ""),
    "mysqld_exporter_of_the_suite": _recipe("prometheus-mysqld-exporter", ""),
    "victoria_metrics": _recipe("victoria-metrics", ""),
}
_PROGRAMS: Final = {
    "prometheus": "prometheus",
    "node_exporter": "prometheus-node-exporter",
    "mysqld_exporter": "prometheus-mysqld-exporter",
    "mysqld_exporter_of_the_suite": "prometheus-mysqld-exporter",
    "victoria_metrics": "victoria-metrics",
}
# What a careful administrator switches on besides the defaults. Not `binlog_size`: 0.19.0 ends with a panic when the
# server answers it too late (collector/binlog.go:133).
COLLECTORS: Final = (
    "--collect.perf_schema.file_events",
    "--collect.perf_schema.eventsstatementssum",
    "--collect.perf_schema.replication_applier_status_by_worker",
    "--collect.perf_schema.replication_group_members",
    "--collect.perf_schema.replication_group_member_stats",
    "--collect.info_schema.innodb_metrics",
)
_SECONDS: Final = 30.0


@record
class Monitoring:
    """A Prometheus that scrapes a cluster: its address, and where its targets can be asked."""

    url: str
    targets: dict[str, str]


def find(product: str) -> Path | None:
    """The program in its prefix, else on the system; None where there is none."""
    program = folders.prefixes() / product / "usr/bin" / _PROGRAMS[product]
    if program.is_file():
        return program
    found = shutil.which(_PROGRAMS[product]) or shutil.which(_PROGRAMS[product].removeprefix("prometheus-"))
    return Path(found) if found else None


def install(product: str, tell: Callable[[str], None]) -> None:
    """Fetch a product into a prefix of the user's own; LabError when that cannot be."""
    follow(product, RECIPES[product], tell)


@contextmanager
def watching(
    cluster_file: str, *, every: str = "1s", exporter: str = "mysqld_exporter", collectors: Sequence[str] = COLLECTORS
) -> Iterator[Monitoring]:
    """Prometheus with an exporter for each member of a lab, and one for this machine; all gone afterwards."""
    cluster = read_cluster(cluster_file)
    started: list[subprocess.Popen[bytes]] = []
    with TemporaryDirectory(prefix="advisor-monitoring-") as name:
        folder = Path(name)
        try:
            targets = {}
            for member in cluster.members:
                targets[member.name] = f"127.0.0.1:{free_port()}"
                login = folder / f"{member.name}.cnf"
                login.touch(mode=0o600)
                login.write_text(_login(cluster.user, cluster.password_file, member.host, member.port))
                asked = [f"--config.my-cnf={login}", f"--web.listen-address={targets[member.name]}", *collectors]
                started.append(_start(exporter, asked, folder))
            node = f"127.0.0.1:{free_port()}"
            started.append(_start("node_exporter", [f"--web.listen-address={node}"], folder))
            place = f"127.0.0.1:{free_port()}"
            (folder / "prometheus.yml").write_text(_scrapes(targets, node, every))
            storage = [f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data"]
            started.append(_start("prometheus", [*storage, f"--web.listen-address={place}"], folder))
            for target in (*targets.values(), node):
                _wait(f"http://{target}/metrics")
            _wait(f"http://{place}/-/ready")
            yield Monitoring(f"http://{place}", targets)
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                process.wait(_SECONDS)


@contextmanager
def scraping(target: str, *, every: str = "1s") -> Iterator[str]:
    """The address of a Prometheus that scrapes one target, which need not be there yet."""
    with TemporaryDirectory(prefix="advisor-monitoring-") as name:
        folder = Path(name)
        place = f"127.0.0.1:{free_port()}"
        lines = [f"global: {{scrape_interval: {every}, scrape_timeout: {every}}}", "scrape_configs:",
                 "- job_name: advisor", "  static_configs:", f"  - targets: ['{target}']"]  # fmt: skip
        (folder / "prometheus.yml").write_text("\n".join(lines) + "\n")
        storage = [f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data"]
        process = _start("prometheus", [*storage, f"--web.listen-address={place}"], folder)
        try:
            _wait(f"http://{place}/-/ready")
            yield f"http://{place}"
        finally:
            process.terminate()
            process.wait(_SECONDS)


@contextmanager
def victoria_metrics(lines: Path) -> Iterator[str]:
    """The address of a VictoriaMetrics that holds these lines of its own export."""
    with TemporaryDirectory(prefix="advisor-monitoring-") as name:
        place = f"127.0.0.1:{free_port()}"
        options = [f"-storageDataPath={name}/data", f"-httpListenAddr={place}", "-retentionPeriod=100y"]
        process = _start("victoria_metrics", [*options, "-search.latencyOffset=0s"], Path(name))
        try:
            _wait(f"http://{place}/health")
            request = urllib.request.Request(f"http://{place}/api/v1/import", data=lines.read_bytes())
            with urllib.request.urlopen(request, timeout=_SECONDS):
                pass
            with urllib.request.urlopen(f"http://{place}/internal/force_flush", timeout=_SECONDS):
                pass
            yield f"http://{place}"
        finally:
            process.terminate()
            process.wait(_SECONDS)


def _start(product: str, options: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    program = find(product)
    if program is None:
        raise LabError(f"{product} is not on this machine", hint=_ELSEWHERE)
    with (folder / f"{product}.log").open("ab") as log:
        return subprocess.Popen([str(program), *options], stdout=log, stderr=log, cwd=folder, start_new_session=True)


def _login(user: str, password_file: str, host: str, port: int) -> str:
    secret = Path(password_file).read_text() if password_file else f"[client]\nuser = {user}\n"
    return f"{secret.rstrip()}\nhost = {host}\nport = {port}\n"


def _scrapes(targets: dict[str, str], node: str, every: str) -> str:
    """Prometheus' own file: each member under its name, with the machine it runs on as PMM labels it."""
    lines = [
        f"global: {{scrape_interval: {every}, scrape_timeout: {every}}}",
        "scrape_configs:",
        "- job_name: mysql",
        "  static_configs:",
    ]
    for member, target in targets.items():
        lines += [f"  - targets: ['{target}']", f"    labels: {{instance: '{member}', node_name: here}}"]
    lines += ["- job_name: node", "  static_configs:", f"  - targets: ['{node}']", "    labels: {node_name: here}"]
    return "\n".join(lines) + "\n"


def _wait(url: str) -> None:
    until = time.monotonic() + _SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (OSError, urllib.error.URLError) as error:
            if time.monotonic() > until:
                raise LabError(f"{url} does not answer: {error}") from None
            time.sleep(0.1)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
