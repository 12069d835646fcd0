"""Sides to compare, from a few lines each, as the cases of rules describe servers."""

from __future__ import annotations

from typing import Any

from advisor.catalog import parse_release
from advisor.check.cases import build_cluster
from advisor.compare import Side, compare, load_quantities, side_of
from advisor.model.comparison.comparability import Comparability, ComparedQuantity, Outcome


def side(server: str = "", /, label: str = "A", **evidence: Any) -> Side:
    """A side of one release ("" for what the evidence shows); `cnf` is its option file, [] for none seen."""
    described = {("my.cnf" if key == "cnf" else key): value for key, value in evidence.items()}
    return side_of(label, build_cluster(described, "case"), parse_release(server) if server else ())


def compared(*sides: Side) -> Comparability:
    """All shipped quantities on these sides."""
    return compare(sides, load_quantities())


def of(comparison: Comparability, quantity: str) -> ComparedQuantity:
    """The one row of a quantity."""
    (row,) = [each for each in comparison.quantities if each.quantity.id == quantity]
    return row


def outcomes(comparison: Comparability, outcome: Outcome) -> set[str]:
    """The quantities that stand like that on some side."""
    return {each.quantity.id for each in comparison.quantities if each.any(outcome)}


def texts(row: ComparedQuantity, position: int) -> list[str]:
    """The reasons of one side, with their sources."""
    return [f"{reason.text} | {reason.source}" for reason in row.sides[position].reasons]
