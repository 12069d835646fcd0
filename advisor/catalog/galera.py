"""What are the defaults of Galera's provider options (`wsrep_provider_options`) for a release?

The provider is released apart from the server; the one that was read with the series stands for it.
"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.catalog.table import row
from advisor.model.server import Family, Release

# XtraDB Cluster builds the same Galera 4 itself; the reading nearest in time stands for it. PXC 5.7 has Galera 3.
_NEAREST = {"8.0": "10.6", "8.4": "11.4", "9.7": "11.8", "26.10": "11.8"}
# MariaDB 12.3 is packaged without a provider (MDEV-38744); the newest one that was read stands for it.
_SAME = {"12.3": "11.8"}
_OWN_OF_PXC = {"gcs.fc_limit": "100"}  # `#ifdef PXC` in gcs_params.cpp of github.com/percona/galera


def defaults(release: Release) -> Mapping[str, str | None]:
    """Option → default as the provider prints it, None where it depends on the machine; empty when none is known."""
    found = row("galera", _read_with(release))
    if not found:
        return {}
    return {**found["options"], **_OWN_OF_PXC} if release.vendor == "pxc" else found["options"]


def provider(release: Release) -> str:
    """The provider version those defaults were read from ("4.23"), "" when none is known."""
    found = row("galera", _read_with(release))
    return str(found["provider"]) if found else ""


def _read_with(release: Release) -> str:
    """The MariaDB series whose provider stands for that of the release; "" where there is none."""
    if release.family is Family.MARIADB:
        return _SAME.get(release.series, release.series)
    return _NEAREST.get(release.series, "") if release.vendor == "pxc" else ""
