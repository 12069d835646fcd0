"""Which parameters do the parameter groups of a CloudFormation template set?

https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-rds-dbparametergroup.html
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from advisor.data import Located
from advisor.evidence.formats.deployment.parameter_group import Parameter, add_parameters, server_of_family
from advisor.evidence.member.builder import MemberBuilder

_GROUPS: Final = ("AWS::RDS::DBParameterGroup", "AWS::RDS::DBClusterParameterGroup")


def is_template(document: Located) -> bool:
    """Whether the document has resources of AWS."""
    resources = document.get("Resources")
    return resources is not None and any(
        (kind := one.get("Type")) and "::" in kind.text for _, one in resources.items()
    )


def servers(document: Located, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """Every parameter group for MySQL, MariaDB or Aurora MySQL, by its logical name."""
    resources = document.get("Resources")
    for name, resource in resources.items() if resources else ():
        kind, properties = resource.get("Type"), resource.get("Properties")
        if not kind or kind.text not in _GROUPS or not properties:
            continue
        family, given = properties.get("Family"), properties.get("Parameters")
        server, aurora = server_of_family(family.text if family else "")
        if not server:
            continue
        builder = MemberBuilder(server=server)
        parameters = [
            Parameter(key, None, value.line, expression="a function of the template")
            if isinstance(value.value, dict | list)
            else Parameter(key, value.text, value.line)
            for key, value in (given.items() if given else ())
        ]
        add_parameters(builder, parameters, file, aurora=aurora)
        yield name, builder
