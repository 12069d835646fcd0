"""Which servers does Prometheus watch? Files for service discovery, and static targets of prometheus.yml.

https://prometheus.io/docs/prometheus/latest/configuration/configuration/#file_sd_config. A target is the address of an
exporter, so the server is taken to listen on 3306 of the same host, unless the label `mysql_port` says otherwise. The
label `cluster` (or `replication_set`, as PMM has it) names the cluster, else the job.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.data import Located
from advisor.fleet.inventory.entries import Entry, Inventory, without_repeats

_CLUSTERS = ("cluster", "replication_set", "cluster_name")
_EXPORTER = "mysql"  # stands in the names of jobs with mysqld_exporter


def read_targets(document: Located, file: str) -> Inventory:
    """A list of {targets, labels}, or a configuration with scrape_configs."""
    problems: list[str] = []
    if document.entries():
        return without_repeats(file, _entries(document, "", file))
    entries: list[Entry] = []
    listed = document.get("scrape_configs")
    for job in listed.entries() if listed else ():
        name = job.get("job_name")
        static = job.get("static_configs")
        if name and _EXPORTER not in name.text.lower() and "maria" not in name.text.lower():
            continue
        if static:
            entries += _entries(static, name.text if name else "", file)
        elif name:
            problems.append(f"{file}:{name.line}: the job {name.text} has no static_configs; its targets are not known")
    return without_repeats(file, entries, problems)


def _entries(groups: Located, job: str, file: str) -> Iterator[Entry]:
    for group in groups.entries():
        part = group.get("labels")
        labels = {name: value.text for name, value in part.items()} if part else {}
        cluster = next((labels[name] for name in _CLUSTERS if labels.get(name)), job or labels.get("job", ""))
        targets = group.get("targets")
        for target in targets.entries() if targets else ():
            address = target.text.partition("//")[2] or target.text
            host = address.rpartition(":")[0] if address.rpartition(":")[2].isdecimal() else address
            port = labels.get("mysql_port", "")
            dsn = f"mysql://{host}:{port}" if port.isdecimal() else f"mysql://{host}"
            yield Entry(cluster or host, host, dsn=dsn, line=target.line)
