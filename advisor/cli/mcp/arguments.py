"""What does each tool take? The dataclasses that become the tools' input schemas; names are those of the options."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from advisor.model.server import Role, Topology

_STRICT = ConfigDict(extra="forbid")
_NAME = "A file name, such as my.cnf or variables.txt. Findings refer to it."
_PATHS = "Option files, dumps, folders or bundles. Several paths are files of one server."
_PATHS_OF_CHECK = "Option files, dumps, folders or bundles. Each path is judged by itself."
_TEXTS = "Texts instead of paths: the option file and dumps of one server."
_RUNNING = "Read the running cluster that the user named when this server was started."
_MEMBERS = "Each path is one member of a cluster."
_TOGETHER = "All paths are files of one server."
_SERVER = (
    "Product and release: mysql-8.4.8, mysql-8.0, mariadb-11.8, percona-8.0.36 or pxc-8.0. "
    "Without it, every release that accepts all options is possible."
)
_ROLE = "The role of the server in its cluster."
_TOPOLOGY = "How the servers replicate."
_HOST = "CPUs, memory and disk of the machine: cpus=16,memory=64G,storage=nvme."
_OBSERVE = "Values that the user measured, as NAME=VALUE: throughput_per_second=4000, clients=64."

Name = Annotated[str, Field(description=_NAME, min_length=1, max_length=200)]
Server = Annotated[str, Field(description=_SERVER)]
RoleOfServer = Annotated[Role | None, Field(description=_ROLE)]
TopologyOfCluster = Annotated[Topology | None, Field(description=_TOPOLOGY)]
Host = Annotated[str, Field(description=_HOST)]
Observations = Annotated[list[str], Field(description=_OBSERVE)]
Label = Annotated[str, Field(description="A short name for the report.", pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+-]*$")]
Word = Annotated[str, Field(description="A rule's id, or the name of an option.", min_length=1, max_length=200)]


@dataclass(frozen=True)
class TextFile:
    """A file as text."""

    __pydantic_config__: ClassVar = _STRICT
    name: Name
    text: str


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What to read: paths, or texts, or the running cluster."""

    __pydantic_config__: ClassVar = _STRICT
    paths: Annotated[list[str], Field(description=_PATHS)] = field(default_factory=list)
    texts: Annotated[list[TextFile], Field(description=_TEXTS)] = field(default_factory=list)
    running: Annotated[bool, Field(description=_RUNNING)] = False
    members: Annotated[bool, Field(description=_MEMBERS)] = False


@dataclass(frozen=True, kw_only=True)
class CheckArguments(Evidence):
    """What `check` takes."""

    paths: Annotated[list[str], Field(description=_PATHS_OF_CHECK)] = field(default_factory=list)
    together: Annotated[bool, Field(description=_TOGETHER)] = False
    server: Server = ""
    role: RoleOfServer = None
    topology: TopologyOfCluster = None
    host: Host = ""
    only: Annotated[list[str], Field(description="Judge only the rules with these ids.")] = field(default_factory=list)
    ignore: Annotated[list[str], Field(description="Skip the rules with these ids.")] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class WhyArguments(Evidence):
    """What `why` takes."""

    server: Server = ""
    role: RoleOfServer = None
    topology: TopologyOfCluster = None
    host: Host = ""
    observe: Observations = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class SideArguments(Evidence):
    """One side of a comparison."""

    name: Label
    server: Server = ""
    host: Host = ""
    observe: Observations = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class CompareArguments:
    """What `compare` takes."""

    __pydantic_config__: ClassVar = _STRICT
    sides: Annotated[
        list[SideArguments],
        Field(description="Every side is compared with the first.", min_length=1, max_length=16),
    ]


@dataclass(frozen=True, kw_only=True)
class ExplainArguments(Evidence):
    """What `explain` takes; evidence only with an option."""

    word: Word
    server: Server = ""
