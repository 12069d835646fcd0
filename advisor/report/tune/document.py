"""What does a program get of a tuning run? The recommendation as JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from advisor.model.measurement import Interval, Load
from advisor.model.recommendation import (
    AtLimit,
    Contender,
    Front,
    FrontCost,
    FrontPoint,
    Preflight,
    Recommendation,
    Reverted,
    Soak,
    TriedSetting,
    TunedSetting,
    Worth,
)
from advisor.model.server import Topology
from advisor.model.workload.fidelity import read_fidelity

SCHEMA: Final = "advisor/recommendation/1"


def document(found: Recommendation) -> dict[str, Any]:
    """Everything, in plain types."""
    return {"schema": SCHEMA, **{name: _plain(value) for name, value in vars(found).items()}}


def _plain(value: Any) -> Any:
    if hasattr(value, "__match_args__"):
        return {name: _plain(part) for name, part in vars(value).items()}
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return value if value is None or isinstance(value, bool | int | float) else str(value)


def read_document(data: Mapping[str, Any]) -> Recommendation:
    """The recommendation a document was made of; KeyError, TypeError, ValueError or AttributeError for another."""
    row = {name: value for name, value in data.items() if name != "schema"}
    row["topology"] = Topology(row["topology"])
    row["load"] = Load(**{**row["load"], "writers": tuple(row["load"]["writers"])})
    row["changes"] = tuple(
        TunedSetting(**{**_tuples(one), "worth": _worth(one.get("worth"))}) for one in row["changes"]
    )
    row["contenders"] = tuple(
        Contender(**{**_tuples(one), **{key: _interval(one[key]) for key in ("ratio", "against_rules")}})
        for one in row["contenders"]
    )
    row["trials"] = tuple(TriedSetting(**one) for one in row["trials"])
    row["at_limits"] = tuple(AtLimit(**one) for one in row.get("at_limits", ()))
    row["fronts"] = tuple(
        Front(FrontCost(one["cost"]), tuple(FrontPoint(**point) for point in one["points"]), one["unknown"])
        for one in row.get("fronts", ())
    )
    row["steps"] = tuple(Reverted(**_tuples(one)) for one in row["steps"])
    row["effects"] = tuple((name, tuple(settings), tuple(rates)) for name, settings, rates in row["effects"])
    row["preflight"] = Preflight(**_tuples(row["preflight"])) if row.get("preflight") else None
    row["soak"] = Soak(**_tuples(row["soak"])) if row.get("soak") else None
    row["fidelity"] = read_fidelity(row["fidelity"]) if row.get("fidelity") else None
    return Recommendation(**_tuples(row))


def _interval(data: Mapping[str, Any] | None) -> Interval | None:
    return Interval(**data) if data else None


def _worth(data: Mapping[str, Any] | None) -> Worth | None:
    return Worth(**{**data, "ratio": _interval(data["ratio"])}) if data else None


def _tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
