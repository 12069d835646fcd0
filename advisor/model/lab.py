"""What a lab is made of: a server program, what is wished for, what each member is told."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from advisor.model.record import field, record
from advisor.model.server import Family, Role, Topology, Version


@record
class ServerBinary:
    """One server program on this machine and what it needs to run.

    `command` are the words that start it (a prefix with a C library of its own has a loader first), `client` those of
    its command-line client, () when there is none. `galera_provider` is "" without one. `place` is what a
    person calls it: a path.
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
    """Where a member will stand: its name, the port for clients, three more for replication among members, the host."""

    name: str
    port: int
    more_ports: tuple[int, int, int]
    host: str = "127.0.0.1"


@record
class ClusterSpec:
    """What a cluster shall be. 0 and "" leave the choice to the server's own defaults.

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
    """What one member is told. `settings` go into its option file, `files` (name → text) into its data directory.

    `programs` (name → text) are scripts the server finds on its PATH. `words` are added to the command line of its
    first start. `waits_for_previous`: it is started when those before it are ready, not beside them.
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
    """Where a server listens and as whom to log in. `socket` is preferred when given. Never shown: `password`."""

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
    """How a server that is not a lab's is restarted, and where settings for its next start may be written.

    `unit` is systemd's, `words` those of a command, with {name}, {host} and {port} filled in. `ssh` is where both are
    done (user@host), "" for this machine. `include_file` is an option file of our own that the server reads last: made,
    and taken away again, by us.
    """

    method: RestartMethod
    include_file: str
    unit: str = ""
    words: tuple[str, ...] = ()
    ssh: str = ""


@record
class ClusterMember:
    """One member as cluster.yaml has it. `start` are the words that start its server, () when not ours to start.

    `restart` is None where nobody said how; a lab's members are restarted by the lab.
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
    `made`: when a lab's servers were made, "" for others: a later lab at the same addresses is another cluster.
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
