"""Evidence: what is known of a cluster and its members at one time, each value with its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.annotations import Final
from advisor.model.options import Reading
from advisor.model.record import field, record
from advisor.model.server import Role, Topology

Scalar = bool | int | float | str | None
Row = Mapping[str, Scalar]


class _Unknown:
    """No evidence; never a number, never False."""

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __bool__(self) -> bool:
        raise TypeError("UNKNOWN is neither true nor false")


UNKNOWN: Final = _Unknown()


@record
class Fact:
    """One value with its unit ("" for none) and where it comes from.

    `source`: "my.cnf:14", "variables.txt:210", "SHOW GLOBAL STATUS", "default of mysql 8.4",
    "observations.yaml:3", "--host cpus=16", "from sync_binlog, rate.Com_commit".
    """

    name: str
    value: object
    unit: str = ""
    source: str = ""

    def __init__(self, name: str, value: object, unit: str = "", source: str = "") -> None:
        # Over a hundred are made for every file and release: this costs a third of what all records share.
        self.__dict__.update(name=name, value=value, unit=unit, source=source)


@record
class Moment:
    """Counters printed together. `at_seconds` is None when only `Uptime` can tell the time."""

    values: Mapping[str, Scalar]
    at_seconds: float | None
    source: str


@record
class Sample:
    """Status counters at one moment. `at_seconds` counts from the first sample (or is an epoch time)."""

    at_seconds: float
    values: Mapping[str, Scalar]
    source: str = ""


@record
class TableSnapshot:
    """Rows of one replication table or SHOW statement at one moment, column names as the server spells them.

    `table`: "replica_status" (SHOW REPLICA/SLAVE STATUS, both spellings of columns kept as given),
    "replication_group_members", "replication_group_member_stats", ….
    """

    table: str
    rows: Sequence[Row]
    at_seconds: float = 0.0
    source: str = ""

    def __init__(self, table: str, rows: Sequence[Row], at_seconds: float = 0.0, source: str = "") -> None:
        self.__dict__.update(table=table, rows=rows, at_seconds=at_seconds, source=source)  # thousands, as of facts


@record
class CloudSettings:
    """The settings of a managed database, which only a command of the cloud changes.

    `command` and `target` are its beginning, the latter with the name of the group or instance; `reset` takes settings
    back. `fixed` are settings that users cannot change there, `allowed` the values of the others as the cloud writes
    them ("0,1"). `kept` are all settings that the command must repeat, because it resets what it does not name; None
    where it keeps them.
    """

    command: str
    target: str
    reset: str = ""
    fixed: frozenset[str] = frozenset()
    allowed: Mapping[str, str] = field(default_factory=dict)
    kept: Mapping[str, str] | None = None


@record
class Member:
    """Everything known of one server before anything is derived. Absent things are empty, never made up.

    `server` is the stated family and version ("mysql 5.7.15", "pxc 8.0", "mariadb 10.6.23-MariaDB-log"), ""
    when not stated. `variables` holds running values as text. `observed` holds what people know
    (`observations.yaml`), flattened with dots ("latency_ms.p99"); `host` what the host says ("cpus").
    `role_source` says how the role is known ("bundle.json", "replica.txt:1"). `server_ids_beside` are those of the
    servers that replicate with this one and are described in the same file, by name.
    """

    name: str
    server: str = ""
    role: Role | None = None
    options: Reading | None = None
    variables: Mapping[str, Fact] = field(default_factory=dict)
    samples: tuple[Sample, ...] = ()
    tables: tuple[TableSnapshot, ...] = ()
    processlist: tuple[Row, ...] = ()
    innodb_status: str = ""
    host: Mapping[str, Fact] = field(default_factory=dict)
    observed: Mapping[str, Fact] = field(default_factory=dict)
    role_source: str = ""
    cloud: CloudSettings | None = None
    server_ids_beside: Mapping[str, str] = field(default_factory=dict)


@record
class Cluster:
    """The members looked at together; one member for a single option file.

    `path` is what the user named. `problems` are things in the evidence that could not be used, each with
    its place; they are shown, and never stop the rest from being judged. `topology_source` says how the
    topology is known. `running`: it was read from its servers just now, and can be read again.
    """

    path: str
    members: tuple[Member, ...]
    topology: Topology | None = None
    problems: tuple[str, ...] = ()
    topology_source: str = ""
    running: bool = False
