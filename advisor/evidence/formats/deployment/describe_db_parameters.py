"""Which parameters does `aws rds describe-db-parameters` print, or describe-db-cluster-parameters?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from advisor.evidence.formats.deployment.parameter_group import Parameter, add_parameters
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.scalars import as_text
from advisor.model.evidence import CloudSettings


def described_parameters(data: Any) -> list[Mapping[str, Any]]:
    """The parameters in JSON, whole or the list alone; [] where it holds something else."""
    parameters = data.get("Parameters") if isinstance(data, dict) else data
    if not isinstance(parameters, list):
        return []
    described: list[Mapping[str, Any]] = [
        entry for entry in parameters if isinstance(entry, dict) and "ParameterName" in entry
    ]
    return described if len(described) == len(parameters) else []


def add_described_parameters(
    builder: MemberBuilder, parameters: Sequence[Mapping[str, Any]], label: str, text: str
) -> None:
    """Take them as running values, each with its line; `text` is the JSON as it was, to find lines in."""
    lines = _lines_of_names(text)
    names = [str(parameter["ParameterName"]) for parameter in parameters]
    given = [
        Parameter(
            name,
            as_text(parameter.get("ParameterValue")),
            lines.get(name, 0),
            chosen=str(parameter.get("Source") or "user") == "user",
        )
        for name, parameter in zip(names, parameters, strict=True)
    ]
    add_parameters(builder, given, label, aurora=any(name.startswith("aurora") for name in names))
    builder.cloud = _cloud(parameters)


def _cloud(parameters: Sequence[Mapping[str, Any]]) -> CloudSettings:
    """How the group is changed. The output does not name it; parameters of a cluster say for which engine modes."""
    kind = "db-cluster" if any("SupportedEngineModes" in parameter for parameter in parameters) else "db"
    names = {id(parameter): str(parameter["ParameterName"]).lower() for parameter in parameters}
    return CloudSettings(
        f"aws rds modify-{kind}-parameter-group",
        f"--{kind}-parameter-group-name GROUP",
        f"aws rds reset-{kind}-parameter-group",
        fixed=frozenset(names[id(p)] for p in parameters if p.get("IsModifiable") is False),
        allowed={names[id(p)]: str(p["AllowedValues"]) for p in parameters if p.get("AllowedValues")},
    )


def _lines_of_names(text: str) -> dict[str, int]:
    """Parameter → the line that names it; none where everything is on one line."""
    if text.count("\n") < 2:
        return {}
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        name = re.search(r'"ParameterName"\s*:\s*"([^"\\]+)"', line)
        if name:
            found.setdefault(name[1], number)
    return found
