"""Which sizes does an operator compute from the memory of a container, where the user sets none?

All memory in bytes. Formulas as in the operators' sources: pkg/pxc/app/config/autotune.go of Percona's operator for
XtraDB Cluster, pkg/mysql/config.go of that for Percona Server, pkg/mycnf/generator.go of MOCO.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

_CHUNK_BYTES: Final = 128 << 20  # innodb_buffer_pool_chunk_size by default
_BYTES_PER_CONNECTION: Final = 12582880
_LEAST_REST_BYTES: Final = 10**9  # Percona's operator leaves that much outside the pool, or half of all
_FORMULA: Final = re.compile(r"\{\{\s*containerMemoryLimit((?:\s*[*/]\s*\d+)*)\s*\}\}")


def percona_xtradb_cluster(memory_bytes: int) -> dict[str, int]:
    """Three quarters of the memory, or half where less than 1 GB would be left, in eight parts above 1 GiB."""
    pool = memory_bytes // 100 * 75
    if memory_bytes - pool < _LEAST_REST_BYTES:
        pool = memory_bytes // 100 * 50
    pool += -pool % _CHUNK_BYTES
    if pool > 1 << 30:
        part = pool // 8
        part += (1 << 20) - part % (1 << 20)
        pool = part * 8
    return {"innodb_buffer_pool_size": pool, "max_connections": memory_bytes // _BYTES_PER_CONNECTION}


def percona_server(memory_bytes: int) -> dict[str, int]:
    """Half of the memory, in eight parts above 1 GiB."""
    pool = memory_bytes * 50 // 100
    if pool > 1 << 30:
        part = pool // 8
        pool = (part - part % (1 << 20)) * 8
    else:
        pool += -pool % _CHUNK_BYTES
    return {"innodb_buffer_pool_size": pool, "max_connections": memory_bytes // _BYTES_PER_CONNECTION}


def moco(memory_bytes: int) -> dict[str, int]:
    """Seven tenths of the memory in whole MiB, at least the server's default."""
    return {"innodb_buffer_pool_size": max(128 << 20, memory_bytes // 100 * 70 >> 20 << 20)}


SIZINGS: Final[Mapping[str, Callable[[int], dict[str, int]]]] = {
    "percona_xtradb_cluster": percona_xtradb_cluster,
    "percona_server": percona_server,
    "moco": moco,
}


def filled_in(text: str, memory_bytes: int | None) -> str:
    """A value with `{{ containerMemoryLimit * 3 / 4 }}` computed; as it is without a limit, or where it is another."""
    formula = _FORMULA.fullmatch(text.strip())
    if formula is None or memory_bytes is None:
        return text
    value = memory_bytes
    for sign, number in re.findall(r"([*/])\s*(\d+)", formula[1]):
        if sign == "/" and not int(number):
            return text
        value = value * int(number) if sign == "*" else value // int(number)
    return str(value)
