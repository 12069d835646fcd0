"""How is a made load written? As the YAML that docs/workloads.md describes; strings as JSON has them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from advisor.model.workload.made_load import MadeLoad, MadeStatement, MadeTransaction


def render(load: MadeLoad) -> str:
    """The text of the file. It names no table of the source and holds no value of it."""
    lines = [
        "# A load made by `advisor workload make`. Names and values are made up; only numbers are from the source."
    ]
    lines += [f"# Not known from the sources: {note}" for note in load.notes]
    lines += ["format: 1"]
    if load.prepared:
        lines.append("prepared: yes")
    if load.threads:
        lines.append(f"threads: {load.threads}")
    lines.append("ignore_errors: [1062]  # a new key may exist already")
    if load.spreads:
        lines.append("spreads:")
        for name, points in load.spreads.items():
            lines.append(f"  {name}: {{{', '.join(f'{most}: {_number(share)}' for most, share in points)}}}")
    lines.append("prepare:")
    for each in load.prepare:
        lines += (
            [f"  - {json.dumps(each)}"]
            if isinstance(each, str)
            else [
                f"  - rows: {each[1]}",
                f"    sql: {json.dumps(each[0])}",
            ]
        )
    if load.reset:
        lines += ["reset:", *(f"  - {json.dumps(each)}" for each in load.reset)]
    lines.append("transactions:")
    for transaction in load.transactions:
        lines += _transaction(transaction)
    if load.observed:
        lines += ["observed:", *(f"  {name}: {_number(value)}" for name, value in load.observed.items())]
    return "\n".join(lines) + "\n"


def _transaction(transaction: MadeTransaction) -> list[str]:
    lines = [f"  - name: {transaction.name}", f"    weight: {transaction.weight}"]
    lines += _values(transaction.values, "    ")
    lines.append("    statements:")
    for statement in transaction.statements:
        lines += [f"      - {json.dumps(statement)}"] if isinstance(statement, str) else _statement(statement)
    return lines


def _statement(statement: MadeStatement) -> list[str]:
    lines = [f"      - times: {json.dumps(statement.times)}", *_values(statement.values, "        ")]
    if statement.each:
        lines.append(f"        each: {json.dumps(statement.each)}")
    if len(statement.sql) == 1:
        return [*lines, f"        sql: {json.dumps(statement.sql[0])}"]
    return [*lines, "        sql:", *(f"          - {json.dumps(each)}" for each in statement.sql)]


def _values(values: Mapping[str, str], indent: str) -> list[str]:
    if not values:
        return []
    return [f"{indent}values:", *(f"{indent}  {name}: {json.dumps(text)}" for name, text in values.items())]


def _number(value: float) -> str:
    """Digits without an exponent, at most six behind the point."""
    return f"{value:.6f}".rstrip("0").rstrip(".")
