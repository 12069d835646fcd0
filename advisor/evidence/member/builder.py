"""What has been read of one server so far, from however many files, before it becomes a `Member`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from advisor.errors import InputError
from advisor.evidence.member.redaction import redact
from advisor.model.evidence import CloudSettings, Fact, Member, Moment, Row, Sample, Scalar, TableSnapshot
from advisor.model.options import Reading
from advisor.model.record import replace
from advisor.model.server import Role, Topology


class MemberBuilder:
    """A collector, the one mutable thing here: readers add to it, `member` freezes it.

    Everything enters through the `add_` functions, which is where secrets are taken out; option files and monitor
    output are redacted by their readers. `name` is what the evidence calls the server.
    """

    def __init__(self, options: Reading | None = None, server: str = "", role: Role | None = None) -> None:
        self.name, self.options, self.server, self.role = "", options, server, role
        self.variables: dict[str, Fact] = {}
        self.moments: list[Moment] = []
        self.tables: list[TableSnapshot] = []
        self.processlist: Sequence[Row] = ()
        self.innodb_status = ""
        self.host: dict[str, Fact] = {}
        self.observed: dict[str, Fact] = {}
        self.problems: list[str] = []
        self.cloud: CloudSettings | None = None
        self.topology: Topology | None = None  # where what deploys the server states it
        self.server_ids_beside: Mapping[str, str] = {}

    def copy(self) -> MemberBuilder:
        """Another collector that holds the same so far."""
        twin = MemberBuilder()
        vars(twin).update(vars(self))
        twin.variables, twin.host, twin.observed = dict(self.variables), dict(self.host), dict(self.observed)
        twin.moments, twin.tables, twin.problems = list(self.moments), list(self.tables), list(self.problems)
        return twin

    def add_variable(self, name: str, text: str | None, source: str) -> None:
        """A running value; a later one of the same name wins, as a later dump is the newer one."""
        plain = name.lower()
        self.variables[plain] = Fact(plain, redact(plain, text), "", source)

    def add_counters(self, pairs: Iterable[tuple[str, Scalar]], at_seconds: float | None, source: str) -> None:
        """Counters in the order printed; a name seen already in this moment begins the next moment."""
        values: dict[str, Scalar] = {}
        begun_in = source
        if self._continues(at_seconds):
            last = self.moments.pop()
            values, begun_in = dict(last.values), last.source
        for name, value in pairs:
            if name in values:
                self.moments.append(Moment(values, at_seconds, begun_in))
                values, begun_in = {}, source
            values[name] = redact(name, value)
        self.moments.append(Moment(values, at_seconds, begun_in))

    def add_moment(self, values: Mapping[str, Scalar], at_seconds: float, source: str) -> None:
        """Counters of one dated moment, whose reader took the secrets out."""
        self.moments.append(Moment(values, at_seconds, source))

    def _continues(self, at_seconds: float | None) -> bool:
        """Whether undated counters may belong to the moment before (SHOW STATUS LIKE, one after another)."""
        return bool(self.moments) and at_seconds is None and self.moments[-1].at_seconds is None

    def add_rows(self, table: str, rows: Iterable[Mapping[str, Scalar]], at_seconds: float | None, source: str) -> None:
        """One snapshot of a table."""
        clean = tuple({name: redact(name, value) for name, value in row.items()} for row in rows)
        self.add_clean_rows(table, clean, at_seconds, source)

    def add_clean_rows(self, table: str, rows: Sequence[Row], at_seconds: float | None, source: str) -> None:
        """One snapshot of a table whose reader took the secrets out.

        Of process lists the newest counts: two of them added together would count threads twice.
        """
        self.tables.append(TableSnapshot(table, rows, at_seconds or 0.0, source))
        if table == "processlist":
            self.processlist = rows

    def add_host(self, name: str, value: object, unit: str, source: str) -> None:
        """A fact of the machine; the first one stays, so that what was stated wins over what was worked out."""
        self.host.setdefault(name, Fact(name, value, unit, source))

    def add_observed(self, name: str, value: object, unit: str, source: str) -> None:
        """Something people know."""
        kept = redact(name, value) if isinstance(value, str) else value
        self.observed[name] = Fact(name, kept, unit, source)

    def add(self, other: MemberBuilder) -> None:
        """Another file of the same server; where both say something, the later one counts.

        Raises InputError when both name a server and not the same one.
        """
        self._refuse_other_server(other)
        self.name = self.name or other.name
        self.options = other.options or self.options
        self.variables.update(other.variables)
        self._add_moments(other.moments)
        self.tables.extend(other.tables)
        self.processlist = other.processlist or self.processlist
        self.innodb_status = other.innodb_status or self.innodb_status
        self.host = {**other.host, **self.host}
        self.observed.update(other.observed)
        self.server = self.server or other.server
        self.role = self.role or other.role
        self.cloud = self.cloud or other.cloud
        self.server_ids_beside = self.server_ids_beside or other.server_ids_beside
        self.problems.extend(other.problems)

    def _add_moments(self, moments: list[Moment]) -> None:
        """Counters of another file are another moment, unless they are only other counters (LIKE 'wsrep%')."""
        for moment in moments:
            last = self.moments[-1] if self.moments else None
            same = last and last.at_seconds == moment.at_seconds and last.values.keys().isdisjoint(moment.values)
            if last and same:
                self.moments[-1] = replace(last, values={**last.values, **moment.values})
            else:
                self.moments.append(moment)

    def _refuse_other_server(self, other: MemberBuilder) -> None:
        for name in ("server_uuid", "server_id", "hostname", "port"):
            one, two = self.variables.get(name), other.variables.get(name)
            if one and two and one.value != two.value:
                raise InputError(
                    f"{name} is {two.value} here and {one.value} in {one.source}: these are different servers",
                    file=two.source,
                    hint="give only the files of one server, or a bundle of the cluster",
                )

    def refuse_same_server(self, other: MemberBuilder, name: str) -> None:
        """InputError when both are dumps of one server; one uuid alone may be a data folder that was copied."""
        for key in ("server_uuid", "hostname", "port"):
            one, two = self.variables.get(key), other.variables.get(key)
            if one is None or two is None or one.value != two.value:
                return
        raise InputError(
            f"this dump is from the same server as {name}: one member is given twice",
            file=other.variables["server_uuid"].source,
            hint="put the files of one server into a folder, and give the folder",
        )

    @property
    def empty(self) -> bool:
        """Whether nothing at all was found."""
        return not (
            self.options or self.variables or self.moments or self.tables or self.processlist
            or self.innodb_status or self.host or self.observed
        )  # fmt: skip

    def member(self, name: str) -> tuple[Member, tuple[str, ...]]:
        """The member and the problems met, those of the time axis of its counters included."""
        kept, remarks = self._samples()
        member = Member(
            name=name,
            server=self.server or self._server(),
            role=self.role,
            options=self.options,
            variables=self.variables,
            samples=tuple(kept),
            tables=tuple(self.tables),
            processlist=tuple(self.processlist),
            innodb_status=self.innodb_status,
            host=self.host,
            observed=self.observed,
            cloud=self.cloud,
            server_ids_beside=self.server_ids_beside,
        )
        return member, (*self.problems, *remarks)

    def _samples(self) -> tuple[list[Sample], list[str]]:
        if not self.moments:
            return [], []
        from advisor.evidence.member.sample_times import samples

        return samples(self.moments)

    def _server(self) -> str:
        """ "mariadb 10.6.23-MariaDB-log" and the like, from what the server says of itself; "" when it does not."""
        version = self.variables.get("version")
        if version is None or not version.value:
            return ""
        comment = self.variables.get("version_comment")
        words = f"{version.value} {comment.value if comment else ''}".lower()
        # MariaDB tells old replicas and clients "5.5.5-10.6.12-MariaDB".
        return f"{_vendor(words, self.variables)} {str(version.value).removeprefix('5.5.5-')}"


def _vendor(words: str, variables: Mapping[str, Fact]) -> str:
    """The family by words of the version, never by its number (MySQL has a series 26.7)."""
    if "mariadb" in words:
        return "mariadb"
    if "xtradb cluster" in words or ("wsrep_provider" in variables and "percona" in words):
        return "pxc"
    return "percona" if "percona" in words else "mysql"
