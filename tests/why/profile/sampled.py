"""A member whose process list was read again and again, with rows as the collector writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.check.possible_releases import release_assumptions
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Cluster, Fact, Member, Row, Sample, Scalar, TableSnapshot
from advisor.model.server import Role
from advisor.why.facts import make_known

Rows = Sequence[Row]


def row(state: str = "", **columns: Scalar) -> Row:
    """A row of one session that runs an UPDATE; other columns as given."""
    return {"user": "app", "command": "Query", "state": state, "info": "UPDATE …", "time": 0, "count": 1, **columns}


def worker(state: str = "", **columns: Scalar) -> Row:
    """A row of an applier's worker."""
    return row(state, **{"user": "system user", "info": "", "kind": "applier", **columns})


def member(
    lists: Sequence[Rows],
    server: str = "mysql 9.7.4",
    role: Role = Role.STANDALONE,
    tables: Sequence[TableSnapshot] = (),
    **more: object,
) -> Member:
    """A member with these process lists, a second apart."""
    read = tuple(TableSnapshot("processlist", rows, float(at)) for at, rows in enumerate(lists))
    return Member("db1", server=server, role=role, tables=(*read, *tables), **more)  # type: ignore[arg-type]


def view(of: Member) -> MemberFacts:
    """The facts of a member that stands alone."""
    make_known()
    possible, _ = release_assumptions(Cluster("test", (of,)), ())
    return possible[-1].views[0]


def samples(seconds: float, **growth: float) -> tuple[Sample, ...]:
    """Two samples of counters that grew by so much."""
    first: Mapping[str, Scalar] = dict.fromkeys(growth, 0)
    return (Sample(0.0, first), Sample(seconds, growth))


def host(**facts: float) -> dict[str, Fact]:
    """Facts of the machine."""
    return {name: Fact(name, value) for name, value in facts.items()}
