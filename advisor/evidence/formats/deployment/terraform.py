"""Which parameters do the parameter groups of RDS, and the flags of Cloud SQL, in a Terraform file set?

Only literal values are read. What needs Terraform to know (variables, locals, `dynamic` blocks) is named as unknown.
The part of the language that this takes: https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.catalog.presence import takers
from advisor.evidence.formats.deployment.cloud_sql import server_of_version
from advisor.evidence.formats.deployment.parameter_group import (
    Parameter,
    add_flags,
    add_parameters,
    server_of_family,
)
from advisor.evidence.member.builder import MemberBuilder
from advisor.model.record import record

_INSTANCE_OF_GOOGLE: Final = "google_sql_database_instance"
_GROUPS: Final = ("aws_db_parameter_group", "aws_rds_cluster_parameter_group")
# What is opened and never closed goes on to the end of the line or text, so that nothing is looked at twice.
_TOKEN: Final = re.compile(
    r"""(?P<space>[ \t\r\n]+|\#[^\n]*|//[^\n]*|/\*(?:.*?\*/|.*))
    |(?P<heredoc><<-?(?P<end>\w+)\r?\n(?:.*?^[ \t]*(?P=end)(?=\r?$)|.*))
    |(?P<text>"(?:[^"\\$\n]|\\.|\$(?!\{)|\$\{(?:[^{}"\n]|"[^"\n]*"|\{[^{}\n]*\})*\})*")
    |(?P<open>"[^\n]*)
    |(?P<word>[A-Za-z_][\w.-]*|-?\d+(?:\.\d+)?)
    |(?P<sign>.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_MOST_LABELS: Final = 4
_OPENING, _CLOSING = "{[(", "}])"


@record
class _Token:
    kind: str
    text: str
    line: int


def servers(text: str, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """Every parameter group for MySQL, MariaDB or Aurora MySQL, and instance of Cloud SQL, by the resource's name."""
    tokens = list(_tokens(text))
    for labels, body in _blocks(tokens):
        if len(labels) != 3 or labels[0].text != "resource":
            continue
        kind = labels[1].text.strip('"')
        builder = _group(body, kind, file) if kind in _GROUPS else None
        if kind == _INSTANCE_OF_GOOGLE:
            builder = _instance(body, file)
        if builder is not None:
            yield labels[2].text.strip('"'), builder


def _instance(body: Sequence[_Token], file: str) -> MemberBuilder | None:
    """The flags of an instance of Cloud SQL; None for PostgreSQL and others."""
    server = server_of_version(_attribute(body, "database_version"))
    settings = next((inside for (word, *_), inside in _blocks(body) if word.text == "settings"), ())
    flags = list(_parameters(settings, "database_flags"))
    if not server:
        return None
    builder = MemberBuilder(server=server)
    add_flags(builder, flags, file, "Cloud SQL flags")
    builder.problems += _dynamic(settings, file)
    return builder


def _group(body: Sequence[_Token], kind: str, file: str) -> MemberBuilder | None:
    """One parameter group; None for PostgreSQL and others."""
    family = _attribute(body, "family")
    server, aurora = server_of_family(family)
    parameters = list(_parameters(body))
    if (family and not server) or (not family and not _are_of_our_servers(parameters)):
        return None
    builder = MemberBuilder(server=server)
    aurora = aurora or (not family and kind == "aws_rds_cluster_parameter_group")
    add_parameters(builder, parameters, file, aurora=aurora)
    builder.problems += _dynamic(body, file)
    return builder


def _are_of_our_servers(parameters: Sequence[Parameter]) -> bool:
    """Whether parameters of a family that Terraform alone knows are those of MySQL: names that it shares are few."""
    ours = [parameter for parameter in parameters if takers(parameter.name.lower())]
    return len(ours) * 2 > len(parameters) and any(parameter.name != "max_connections" for parameter in ours)


def _tokens(text: str) -> Iterator[_Token]:
    line = 1
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "space" and match["space"] is None:
            kind = next(name for name in ("heredoc", "text", "open", "word", "sign") if match[name] is not None)
            yield _Token(kind, match[0], line)
        line += match[0].count("\n")


def _end(tokens: Sequence[_Token], start: int) -> int:
    """The place of the sign that closes the one at `start`; the end of the text where none does."""
    depth = 0
    for at in range(start, len(tokens)):
        if tokens[at].kind == "sign" and tokens[at].text in _OPENING:
            depth += 1
        elif tokens[at].kind == "sign" and tokens[at].text in _CLOSING:
            depth -= 1
            if depth == 0:
                return at
    return len(tokens)


def _blocks(body: Sequence[_Token]) -> Iterator[tuple[Sequence[_Token], Sequence[_Token]]]:
    """The blocks directly in a body, each with its words: `parameter { … }`, `resource "kind" "name" { … }`."""
    at = 0
    while at < len(body):
        token = body[at]
        opening = at + 1
        while token.kind == "word" and opening < min(len(body), at + _MOST_LABELS) and body[opening].kind == "text":
            opening += 1
        if token.kind == "word" and opening < len(body) and body[opening].text == "{":
            end = _end(body, opening)
            yield body[at:opening], body[opening + 1 : end]
            at = end + 1
        elif token.kind == "sign" and token.text in _OPENING:
            at = _end(body, at) + 1  # a value: tags = { … }
        else:
            at += 1


def _parameters(body: Sequence[_Token], block: str = "parameter") -> Iterator[Parameter]:
    for (word, *labels), inside in _blocks(body):
        if word.text != block or labels:
            continue
        name = _attribute(inside, "name")
        if not name:
            continue
        tokens = _value_tokens(inside, "value")
        line = tokens[0].line if tokens else word.line
        literal = _literal(tokens)
        expression = "" if literal is not None else " ".join(token.text for token in tokens)
        yield Parameter(name, literal, line, expression=expression)


def _dynamic(body: Sequence[_Token], file: str) -> list[str]:
    lines = [word.line for (word, *_), _ in _blocks(body) if word.text == "dynamic"]
    return [
        f"{file}:{line}: only Terraform knows the parameters of a dynamic block, so they are not judged"
        for line in lines
    ]


def _value_tokens(body: Sequence[_Token], name: str) -> list[_Token]:
    """What stands behind `name =` on its line; a bracket that opens there goes on to its end."""
    depth = 0
    for at, token in enumerate(body[:-1]):
        depth += (token.kind == "sign") * ((token.text in _OPENING) - (token.text in _CLOSING))
        if depth == 0 and token.text == name and body[at + 1].text == "=":
            found: list[_Token] = []
            place = at + 2
            while place < len(body) and (not found or body[place].line == found[-1].line):
                end = _end(body, place) if body[place].kind == "sign" and body[place].text in _OPENING else place
                found += body[place : end + 1]
                place = end + 1
            return found
    return []


def _attribute(body: Sequence[_Token], name: str) -> str:
    """The literal text of an attribute; "" where it is none."""
    return _literal(_value_tokens(body, name)) or ""


def _literal(tokens: Sequence[_Token]) -> str | None:
    """The value of one text, number or truth; None for an expression, and where there is none."""
    if len(tokens) != 1:
        return None
    (token,) = tokens
    if token.kind == "text" and "${" not in token.text.replace("$${", ""):
        return re.sub(r"\\(.)", r"\1", token.text[1:-1]).replace("$${", "${")
    if token.kind == "word" and re.fullmatch(r"-?\d+(?:\.\d+)?|true|false", token.text):
        return {"true": "1", "false": "0"}.get(token.text, token.text)
    return None
