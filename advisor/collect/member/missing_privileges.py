"""What could not be read of a member, and which GRANT or command would help?"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.client import Session
from advisor.collect.member.queries import DISABLED_INSTRUMENTS
from advisor.collect.member.recording import Lack, Recording
from advisor.errors import ServerError
from advisor.model.server import Family, Release

# Access denied: to a statement (1227), a table (1142), a database (1044), a column (1143).
_DENIED = (1227, 1142, 1044, 1143)
_FREE_COMPONENTS = (9, 7, 0)  # before, Enterprise has them alone


class Denials:
    """What was refused for want of a privilege, by the GRANT that would allow it; other errors beside it."""

    def __init__(self) -> None:
        self.grants: dict[str, dict[str, None]] = {}
        self._errors: dict[str, str] = {}

    def add(self, grant: str, table: str) -> None:
        """Not even asked: an earlier query with the same privilege was refused."""
        self.grants[grant][table] = None

    def add_error(self, grant: str, table: str, error: ServerError) -> None:
        """A refusal is a privilege that is missing; anything else is told in the server's words."""
        if grant and error.number in _DENIED:
            self.grants.setdefault(grant, {})[table] = None
        else:
            self._errors[table] = error.message.partition(": ")[2] or error.message

    def lacks(self, account: str) -> list[Lack]:
        """One for each privilege, one for each other error."""
        user, _, host = account.rpartition("@")
        told = [
            Lack(", ".join(tables), f"needs {grant.split(' ON ')[0]}", f"GRANT {grant} TO '{user}'@'{host}'")
            for grant, tables in self.grants.items()
        ]
        return told + [Lack(table, error) for table, error in self._errors.items()]


def instrument_lacks(session: Session, variables: Mapping[str, str]) -> list[Lack]:
    """Whether waits for the logs' files are measured at all."""
    if variables.get("performance_schema") == "OFF":
        why = "performance_schema is OFF"
        return [Lack("waits, stages and statement times", why, "performance_schema = ON in the option file; restart")]
    try:
        names = [str(row["NAME"]) for row in session.rows(DISABLED_INSTRUMENTS)]
    except ServerError as error:
        if error.number in _DENIED:
            return []  # the tables themselves are refused too, which says so
        raise
    listed = ", ".join(f"'{name}'" for name in names)
    command = f"UPDATE performance_schema.setup_instruments SET ENABLED='YES', TIMED='YES' WHERE NAME IN ({listed})"
    return [Lack("waits for log files", "their instruments are disabled", command)] if names else []


def component_lack(release: Release, recording: Recording) -> list[Lack]:
    """What components of MySQL 9.7 would tell of a member that applies, or takes part in a group."""
    if release.family is not Family.MYSQL or release.version < _FREE_COMPONENTS or not recording.samples:
        return []
    tables = recording.tables[-1][1] if recording.tables else {}
    counters = recording.samples[-1][1]
    found = []
    if tables.get("replication_applier_status_by_worker") and "replication_applier_metrics" not in tables:
        found.append(_component("what the applier's workers wait for", "replication_applier_metrics"))
    grouped = any(row.get("MEMBER_STATE") == "ONLINE" for row in tables.get("replication_group_members", ()))
    if grouped and not any(name.startswith("Gr_flow_control_") for name in counters):
        found.append(_component("how long flow control held writers", "group_replication_flow_control_stats"))
    return found


def _component(what: str, name: str) -> Lack:
    full = f"component_{name}"
    return Lack(what, f"{full} is not installed", f"INSTALL COMPONENT 'file://{full}'")
