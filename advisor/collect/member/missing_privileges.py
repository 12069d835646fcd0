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
_FREE_COMPONENTS = (9, 7, 0)  # before, only in Enterprise


class Denials:
    """What was refused because a privilege is missing, by the GRANT that would allow it; and other errors."""

    def __init__(self) -> None:
        self.grants: dict[str, dict[str, None]] = {}
        self._errors: dict[str, str] = {}

    def add(self, grant: str, table: str) -> None:
        """Note a query that was not sent, because one with the same privilege was refused before."""
        self.grants[grant][table] = None

    def add_error(self, grant: str, table: str, error: ServerError) -> None:
        """Note an error: a refusal counts as a missing privilege, anything else is quoted from the server."""
        if grant and error.number in _DENIED:
            self.grants.setdefault(grant, {})[table] = None
        else:
            self._errors[table] = error.message.partition(": ")[2] or error.message

    def lacks(self, account: str) -> list[Lack]:
        """One entry for each missing privilege, one for each other error."""
        user, _, host = account.rpartition("@")
        missing = [
            Lack(", ".join(tables), f"needs {grant.split(' ON ')[0]}", f"GRANT {grant} TO '{user}'@'{host}'")
            for grant, tables in self.grants.items()
        ]
        return missing + [Lack(table, error) for table, error in self._errors.items()]


def instrument_lacks(session: Session, variables: Mapping[str, str]) -> list[Lack]:
    """Instruments of the log files that are switched off, so that waits for them are not measured."""
    if variables.get("performance_schema") == "OFF":
        why = "performance_schema is OFF"
        return [
            Lack("waits, stages and statement times", why, "performance_schema = ON in the option file, then restart")
        ]
    try:
        names = [str(row["NAME"]) for row in session.rows(DISABLED_INSTRUMENTS)]
    except ServerError as error:
        if error.number in _DENIED:
            return []  # the tables themselves are refused too, which is reported
        raise
    listed = ", ".join(f"'{name}'" for name in names)
    command = f"UPDATE performance_schema.setup_instruments SET ENABLED='YES', TIMED='YES' WHERE NAME IN ({listed})"
    return [Lack("waits for log files", "their instruments are disabled", command)] if names else []


def component_lack(release: Release, recording: Recording) -> list[Lack]:
    """Components of MySQL 9.7 that are not installed on a member that applies, or is in a group."""
    if release.family is not Family.MYSQL or release.version < _FREE_COMPONENTS or not recording.samples:
        return []
    tables = recording.tables[-1][1] if recording.tables else {}
    counters = recording.samples[-1][1]
    lacks = []
    if tables.get("replication_applier_status_by_worker") and "replication_applier_metrics" not in tables:
        lacks.append(_component("what the applier's workers wait for", "replication_applier_metrics"))
    grouped = any(row.get("MEMBER_STATE") == "ONLINE" for row in tables.get("replication_group_members", ()))
    if grouped and not any(name.startswith("Gr_flow_control_") for name in counters):
        lacks.append(_component("how long flow control throttled writers", "group_replication_flow_control_stats"))
    return lacks


def _component(what: str, name: str) -> Lack:
    full = f"component_{name}"
    return Lack(what, f"{full} is not installed", f"INSTALL COMPONENT 'file://{full}'")
