"""What a lab is made of: a server program, the specification of the cluster, the plan for each member."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from advisor.model.record import field, record
from advisor.model.server import Family, Role, Topology, Version


@record
class ServerBinary:
    """One server program on this machine and what it needs to run.

    `command` starts it (with a loader first, if it brings its own C library), `client` its command-line client, () for
    none. `galera_provider` is "" without one. `place` is the path that is shown.
    """

    family: Family
    version: Version
    place: str
    command: tuple[str, ...]
    basedir: str
    plugin_dir: str
    messages_dir: str
    client: tuple[str, ...] = ()
    galera_provider: str = ""

    @property
    def name(self) -> str:
        """As `--server` of `check` takes it: mysql-9.7.4."""
        return f"{self.family}-" + ".".join(map(str, self.version))


@record
class Endpoint:
    """Where a member will listen: its name, the port for clients, three more ports for replication, the host."""

    name: str
    port: int
    more_ports: tuple[int, int, int]
    host: str = "127.0.0.1"


@record
class ClusterSpec:
    """The cluster to start. 0 and "" leave the choice to the server's defaults.

    `acks` and `wait_point` ("after_sync", "after_commit") are semi-synchronous replication's; `workers` is how many
    transactions a replica, secondary or node applies at once.
    """

    name: str
    binary: ServerBinary
    endpoints: tuple[Endpoint, ...]
    acks: int = 0
    wait_point: str = ""
    multi_primary: bool = False
    workers: int = 0


@record
class MemberPlan:
    """The plan for one member. `settings` go into its option file, `files` (name → text) into its data directory.

    `programs` (name → text) are scripts the server finds on its PATH. `words` are added to the command line of its
    first start. `waits_for_previous`: it is started when those before it are ready.
    """

    endpoint: Endpoint
    role: Role
    settings: Mapping[str, str]
    files: Mapping[str, str] = field(default_factory=dict)
    programs: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    waits_for_previous: bool = False


@record
class Address:
    """Where a server listens, and the login. `socket` is preferred when given. `password` is never shown."""

    host: str
    port: int
    user: str
    password: str = ""
    socket: str = ""

    def __repr__(self) -> str:
        return f"Address({self.user}@{self.host}:{self.port})"


class RestartMethod(StrEnum):
    """Who can restart a member's server."""

    SYSTEMD = "systemd"
    COMMAND = "command"


@record
class Restart:
    """How a server outside a lab is restarted, and where settings for its next start may be written.

    `unit` is systemd's, `words` are a command in which {name}, {host} and {port} are filled in. `ssh` (user@host) is
    where both run, "" for this machine. `include_file` is an option file that the server reads last; advisor creates
    and removes it.
    """

    method: RestartMethod
    include_file: str
    unit: str = ""
    words: tuple[str, ...] = ()
    ssh: str = ""


@record
class ClusterMember:
    """One member as cluster.yaml has it. `start` is the command that starts its server, () outside a lab.

    `restart` is None where the file does not say how; the lab restarts its own members.
    """

    name: str
    role: Role
    host: str
    port: int
    socket: str = ""
    option_file: str = ""
    error_log: str = ""
    start: tuple[str, ...] = ()
    restart: Restart | None = None


@record
class ClusterFile:
    """What cluster.yaml says. `server` as `--server` takes it; `password_file` an option file with a [client] group.

    `durability`: "durable", "relaxed" or "" (the server's defaults, or as the settings say).
    `made`: when a lab was started, "" for others; a later lab at the same addresses is another cluster.
    """

    path: str
    name: str
    topology: Topology
    server: str
    user: str
    password_file: str
    members: tuple[ClusterMember, ...]
    durability: str = ""
    made: str = ""
