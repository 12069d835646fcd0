"""How many transactions lie between two of MariaDB's GTID positions?

A position is the last transaction of every replication domain, "0-1-100,5-2-7" (domain, server, sequence number); a
binary log's state the last of every server in every domain. Sequence numbers grow by one within a domain as long as
one server at a time writes there (https://mariadb.com/kb/en/gtid/).
"""

from __future__ import annotations

from collections.abc import Mapping


def sequences(position: str) -> dict[int, int]:
    """Domain → last sequence number; of several servers in a domain the highest. ValueError when malformed."""
    highest: dict[int, int] = {}
    for (domain, _), sequence in _gtids(position).items():
        highest[domain] = max(sequence, highest.get(domain, 0))
    return highest


def of_server(state: str, server_id: int) -> dict[int, int]:
    """Domain → sequence number of the last transaction one server wrote there, from `gtid_binlog_state`."""
    return {domain: sequence for (domain, server), sequence in _gtids(state).items() if server == server_id}


def ahead(wanted: Mapping[int, int], reached: Mapping[int, int]) -> int:
    """How many transactions of `wanted` are not `reached` yet, in all domains; 0 for a domain that is further."""
    return sum(max(0, sequence - reached.get(domain, 0)) for domain, sequence in wanted.items())


def _gtids(text: str) -> dict[tuple[int, int], int]:
    gtids = {}
    for part in text.split(","):
        if part.strip():
            domain, server, sequence = part.split("-")
            gtids[int(domain), int(server)] = int(sequence)
    return gtids
