"""Which flags does an instance of Cloud SQL have? What `gcloud sql instances describe` and `list` print.

`settings.databaseFlags` and `databaseVersion` of
https://cloud.google.com/sql/docs/mysql/admin-api/rest/v1/instances. A flag that is not set has the default of Cloud
SQL, which need not be that of the server (https://cloud.google.com/sql/docs/mysql/flags).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from advisor.data import Located
from advisor.evidence.formats.deployment.kubernetes import at
from advisor.evidence.formats.deployment.parameter_group import Parameter, add_flags
from advisor.evidence.member.builder import MemberBuilder
from advisor.model.evidence import CloudSettings


def is_instance(document: Located) -> bool:
    """Whether the document is an instance with MySQL."""
    version = document.get("databaseVersion")
    return version is not None and bool(server_of_version(version.text))


def servers(document: Located, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """The one instance."""
    version, name = document.get("databaseVersion"), document.get("name")
    listed = at(document, ("settings", "databaseFlags"))
    builder = MemberBuilder(server=server_of_version(version.text) if version else "")
    parameters = []
    for flag in listed.entries() if listed else ():
        key, value = flag.get("name"), flag.get("value")
        if key:
            parameters.append(Parameter(key.text, value.text if value else "", (value or key).line))
    add_flags(builder, parameters, file, "Cloud SQL flags")
    instance = shlex.quote(name.text) if name else "INSTANCE"
    kept = {parameter.name: parameter.value or "" for parameter in parameters}
    builder.cloud = CloudSettings("gcloud sql instances patch", instance, kept=kept)
    yield name.text if name else "server", builder


def server_of_version(text: str) -> str:
    """MYSQL_8_0_31 → "mysql 8.0.31"; "" for another database."""
    found = re.fullmatch(r"MYSQL_(\d+)_(\d+)(?:_(\d+))?", text)
    return "mysql " + ".".join(filter(None, found.groups())) if found else ""
