"""Get what the tests on real servers need and this machine lacks.

MySQL, MariaDB with Galera, sysbench, PostgreSQL, and Prometheus with its exporters.

They go into the user's own prefixes, as `advisor lab install` does. Where one cannot be had, a loud line says so and
its tests are skipped; under CI=true that is an error.
"""

from __future__ import annotations

import os
import sys

from advisor.errors import AdvisorError
from advisor.lab.servers.binaries import find_servers, find_sysbench
from advisor.lab.servers.install import install
from tests.servers import monitoring, postgresql


def missing() -> list[str]:
    """The products that nothing here could be tested with as things stand."""
    servers = find_servers()
    found = {str(binary.family) for binary in servers if binary.family == "mysql" or binary.galera_provider}
    if find_sysbench():
        found.add("sysbench")
    if postgresql.find():
        found.add("postgresql")
    found |= {product for product in monitoring.RECIPES if monitoring.find(product)}
    wanted = ("mysql", "mariadb", "sysbench", "postgresql", *monitoring.RECIPES)
    return [product for product in wanted if product not in found]


def get(product: str) -> None:
    """Install one product into the user's own prefixes."""
    if product == "postgresql":
        postgresql.install(print)
    elif product in monitoring.RECIPES:
        monitoring.install(product, print)
    else:
        install(product, print)


def main() -> int:
    """Install each missing product; 1 when one cannot be had under CI."""
    failed = False
    for product in missing():
        print(f"installing {product} for the tests on real servers", flush=True)
        try:
            get(product)
        except AdvisorError as error:
            failed = True
            print(f"NO {product.upper()}: {error}. What needs it is NOT TESTED.", file=sys.stderr)
    return 1 if failed and os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
