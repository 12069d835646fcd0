"""Since which release of each series is a name there, until which, and with which defaults?"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.annotations import Any
from advisor.catalog.releases import line_starts, version
from advisor.catalog.table import row
from advisor.model.catalog import NO_DEFAULT, Value, _NoDefault
from advisor.model.record import record
from advisor.model.server import Family


@record
class SeriesFacts:
    """A name in one series. `came`, `went` and `deprecated_since` are texts: "in 8.0.30", or "by 8.0.28" where it is
    known no closer; "" for with the series, and for never.

    `earlier_defaults`: (release, default before it), newest first. `automatic`: the server computes the default.
    `ignored`: MariaDB takes the option and does nothing with it. `from_manuals`: no server of it was read.
    """

    family: Family
    series: str
    came: str = ""
    went: str = ""
    deprecated_since: str = ""
    deprecated: bool = False
    default: Value | _NoDefault = NO_DEFAULT
    earlier_defaults: tuple[tuple[str, Value], ...] = ()
    automatic: bool = False
    ignored: bool = False
    from_manuals: bool = False


def lifetime(name: str) -> tuple[SeriesFacts, ...]:
    """The series that have the name, MySQL first, oldest first; () when none does."""
    return tuple(facts for family in Family for facts in _in_family(name, family))


def _in_family(name: str, family: Family) -> Iterator[SeriesFacts]:
    for series, start in line_starts(family).items():
        found: Any = row(f"{family}-{series}", name)
        if found is None or ("t" not in found and "ig" not in found):
            continue
        came, since = (_shown(found.get(key, ""), start) for key in ("f", "dv"))
        yield SeriesFacts(
            family,
            series,
            came=came,
            went=_shown(found.get("u", ""), (0, 0, 0)),
            deprecated_since=since,
            deprecated=bool(found.get("dp")),
            default=found.get("d", NO_DEFAULT),
            earlier_defaults=tuple(
                (release, before)
                for when, before in found.get("ch", {}).get("d", ())
                if (release := _shown(when, start))
            ),
            automatic="a" in found,
            ignored="ig" in found,
            from_manuals="m" in found,
        )


def _shown(when: str, start: tuple[int, ...]) -> str:
    """A dated change as text; "" where it is older than the series. The forms are those of `history`."""
    if not when:
        return ""
    if when[0] == "?":
        return f"by {when[1:]}"
    if when[0] != "(":
        return f"in {when}" if version(when) > start else ""
    after, by = when[1:-1].split(",")
    if not by:
        return f"after {after}"
    return f"by {by}" if version(after) >= start else ""
