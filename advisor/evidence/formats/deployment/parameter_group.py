"""What do the parameters of an RDS or Aurora parameter group say of the server?

They win over everything else and the group has no option file, so they count as running values. Aurora stores pages in
its own way: InnoDB's redo log, doublewrite buffer and flushing are not there, and what their settings would mean for
another server must not be concluded (https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/
AuroraMySQL.Reference.ParameterGroups.html, "parameters that don't apply").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.evidence.member.builder import MemberBuilder
from advisor.model.record import record

_LISTED_AT_MOST: Final = 8
_NOT_OF_AURORA: Final = (
    "innodb_adaptive_flushing", "innodb_checksum", "innodb_doublewrite", "innodb_fast_shutdown",
    "innodb_flush_", "innodb_io_capacity", "innodb_log_", "innodb_lru_scan_depth", "innodb_max_dirty_pages",
    "innodb_page_cleaners", "innodb_read_io_threads", "innodb_redo_log_capacity", "innodb_undo_",
    "innodb_use_native_aio", "innodb_write_io_threads", "sync_binlog", "sync_master_info", "sync_source_info",
    "sync_relay_log",
)  # fmt: skip


@record
class Parameter:
    """One parameter as it is given; `value` None: none, or one that is computed elsewhere (`expression`).

    `chosen`: somebody set it; else it is what RDS sets by itself.
    """

    name: str
    value: str | None
    line: int
    chosen: bool = True
    expression: str = ""


def add_parameters(builder: MemberBuilder, parameters: Sequence[Parameter], label: str, *, aurora: bool) -> None:
    """Literal values as they are. A formula over the instance's size is kept as text until the size is known.

    Of an Aurora group only what was chosen counts, without what Aurora has no use for.
    """
    given = [parameter for parameter in parameters if parameter.value is not None]
    passed_over = [p.name for p in given if aurora and p.chosen and p.name.lower().startswith(_NOT_OF_AURORA)]
    taken = [p for p in given if not aurora or (p.chosen and p.name not in passed_over)]
    for parameter in taken:
        place = f"{label}:{parameter.line}" if parameter.line else label
        builder.add_variable(parameter.name, parameter.value, place)
    kind = "an Aurora parameter group" if aurora else "a parameter group"
    builder.problems.append(
        f"{label}: {kind} with {len(given)} values" + (f", {len(taken)} of them judged" if aurora else "")
    )
    if passed_over:
        builder.problems.append(
            f"{label}: Aurora has its own storage, so these do not affect commits and flushing: {_listed(passed_over)}"
        )
    if expressions := [f"{p.name} = {p.expression}" for p in parameters if p.expression]:
        builder.problems.append(
            f"{label}: expressions are not evaluated, so these values are unknown: {_listed(expressions)}"
        )


def add_flags(builder: MemberBuilder, parameters: Sequence[Parameter], label: str, kind: str) -> None:
    """Values that somebody chose in another cloud, as they are; `kind` is what they are called there.

    Logs go to files unless a flag says otherwise (https://cloud.google.com/sql/docs/mysql/flags, log_output).
    """
    for parameter in parameters:
        if parameter.value is not None:
            builder.add_variable(parameter.name, parameter.value, f"{label}:{parameter.line}")
    if not any(parameter.name.lower() == "log_output" for parameter in parameters):
        builder.add_variable("log_output", "FILE", "default of Cloud SQL")
    given = sum(parameter.value is not None for parameter in parameters)
    builder.problems.append(f"{label}: {given} {kind}; what they do not set is unknown")
    if formulas := [f"{p.name} = {p.expression}" for p in parameters if p.expression]:
        builder.problems.append(f"{label}: expressions are not evaluated: {_listed(formulas)}")


def server_of_family(family: str) -> tuple[str, bool]:
    """A DB parameter group family as a bundle states servers, and whether it is Aurora: "mysql8.0" → "mysql 8.0"."""
    plain = family.strip().lower()
    aurora = plain.startswith("aurora")
    plain = plain.removeprefix("aurora-").removeprefix("aurora")
    for word in ("mysql", "mariadb"):
        if plain.startswith(word):
            return f"{word} {plain.removeprefix(word) or 'unknown'}", aurora
    return ("mysql 5.6" if aurora and plain == "5.6" else "", aurora)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED_AT_MOST} more" if len(names) > _LISTED_AT_MOST else ""
    return ", ".join(names[:_LISTED_AT_MOST]) + more
