"""Write the catalogue's data files from readings of real servers.

`python scripts/build_catalog.py SERVERS_DIR [OUT_DIR]`. SERVERS_DIR holds `variables.json` and `renames.json`. Every
series becomes one file with one line per name, `name<TAB>facts`: those of its newest reading, when the name came and
went, and older values. `catalog_*.tsv` have what the readings do not show; the other files are written by hand.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from catalog_corrections import Corrections, computed, read_corrections
from catalog_manuals import date, inherit, read_manuals
from catalog_switches import as_switch, read_switches

from advisor.catalog.history import When, span
from advisor.catalog.releases import DATA, eras, line_starts, version
from advisor.catalog.variables import presence
from advisor.model.server import Family, Version

Facts = dict[str, Any]

# Field in variables.json → key in the data files, where they say the same thing.
KEYS = {"min": "lo", "max": "hi", "step": "st", "words": "w", "type": "t", "cli_type": "k"}
CHANGING = {"def": "d", "min": "lo", "max": "hi", "step": "st", "words": "w", "type": "t", "dyn": "y"}
# The release of the series before that came out with the first stable release of a series.
BRANCHED = {
    "8.0": "5.7.22",
    "8.4": "8.0.37",
    "9.7": "8.4.9",
    "10.6": "10.5.11",
    "10.11": "10.6.12",
    "11.4": "10.11.8",
    "11.8": "11.4.7",
}
SCOPES = {"global": "g", "session": "s", "both": "b"}


class Source:
    """The readings of one family, with the questions asked of them."""

    def __init__(self, family: Family, servers: Facts, corrections: Corrections) -> None:
        self.family = family
        self.facts: dict[str, dict[str, Facts]] = servers["facts"][family]
        self.merged: dict[str, Facts] = servers["merged"][family]
        date(self.merged, family)
        self.ignored: dict[str, dict[str, str]] = servers["ignored"].get(family, {})
        self.readings: dict[str, list[str]] = {}
        for reading in servers["servers"].values():
            if reading["flavour"] == family:
                self.readings.setdefault(reading["series"], []).append(reading["version"])
        self.order = [series for series in servers["series"][family] if series in line_starts(family)]
        self.corrections = corrections
        self.switches = read_switches(family)

    def newest(self, series: str) -> str:
        """The newest reading of a series, as text."""
        return max(self.readings[series], key=version)

    def oldest(self, series: str) -> str:
        """The oldest reading of a series, as text."""
        return min(self.readings[series], key=version)

    def in_line(self, series: str, number: Version) -> bool:
        """Whether the version belongs to the series or to a feature release that led to it."""
        later = [start for start in line_starts(self.family).values() if start > line_starts(self.family)[series]]
        return line_starts(self.family)[series] <= number and (not later or number < min(later))


def exact(when: str) -> str:
    """`when` as one version where no release lies between its two."""
    if when.startswith("("):
        after, by = (version(part) for part in when[1:-1].split(","))
        if after[:2] == by[:2] and after[2] + 1 == by[2]:
            return ".".join(map(str, by))
    return when


def arrival(when: str) -> Version:
    """The first release that certainly has the change."""
    return version(when[1:-1].split(",")[1] if when[0] == "(" else when.lstrip("<=?"))


def encode(raw: Facts, owner: str) -> Facts:
    """The facts of one reading with short keys; what is usual is left out (see advisor/catalog/variables.py)."""
    out: Facts = {KEYS[key]: raw[key] for key in KEYS if key in raw}
    if raw.get("auto"):
        out["a"] = 1
    elif "why" not in raw:
        out["d"] = raw["def"]
    if raw.get("dyn"):
        out["y"] = 1
    if raw.get("scope", "global") != "global":
        out["sc"] = SCOPES[raw["scope"]]
    if raw.get("cli") != "req":
        out["op"] = raw.get("cli") or ""
    if raw.get("var") is False:
        out["oo"] = 1
    if "own" in raw:
        out["ow"] = owner
    if raw.get("dep"):
        out["dp"] = "yes" if raw["dep"] is True else raw["dep"]
    return out


def undo(change: Facts, now: Any) -> Any:
    """The value before a change of the history, given the one after it."""
    if "add" not in change and "del" not in change:
        return change.get("old")
    items = now.split(",") if isinstance(now, str) else list(now or ())
    kept = [item for item in items if item not in (change.get("add") or ())]
    gone = [item for item in change.get("del") or () if item not in kept]
    return ",".join(kept + gone) if isinstance(now, str) else kept + gone


def older(source: Source, series: str, name: str, facts: Facts) -> Facts:
    """Key → [[when, value before], …], newest first, for what changed inside this series' line."""
    out: Facts = {}
    changes = [c for c in source.merged[name].get("chg", []) if c["f"] in CHANGING]
    changes.sort(key=lambda c: arrival(c["v"]), reverse=True)
    newest = version(source.newest(series))
    for change in changes:
        reached = arrival(change["v"])
        key = CHANGING[change["f"]]
        late = series in BRANCHED and after_branching(source, series, change["v"])
        here = source.in_line(series, reached) and reached <= newest
        if not (here or late) or (key == "d" and "d" not in facts):
            continue
        steps = out.setdefault(key, [])
        now = steps[-1][1] if steps else facts.get(key)
        before = undo(change, now)
        when = exact(change["v"]) if here else f"?{source.oldest(series)}"
        steps.append([when, int(before) if key == "y" else before])
    return correct(source, series, name, out)


def correct(source: Source, series: str, name: str, steps: Facts) -> Facts:
    """The changes with what the manuals date more closely."""
    for fact, key in CHANGING.items():
        if (family_key := (source.family, series, name, fact)) in source.corrections:
            when, before = source.corrections[family_key]
            if before:
                steps.setdefault(key, []).append([when, json.loads(before)])
            elif key in steps:
                steps[key][-1][0] = when
    return steps


def since(source: Source, series: str, name: str) -> str:
    """When the name came within the line of the series; "" when it was there from the start."""
    merged = source.merged[name]
    mark = str(merged["series"][series])
    intro = exact(merged.get("intro", ""))
    if not mark.startswith(">="):
        if intro and source.in_line(series, arrival(intro)):
            return f"?{source.oldest(series)}" if skipped_by_next(source, series, name) else intro
        return backport(source, series, name)
    bound = mark.lstrip(">=")
    readings = sorted(source.readings[series], key=version)
    if intro and arrival(intro) == version(bound):
        return intro
    if bound not in readings:
        return bound
    position = readings.index(bound)
    return exact(f"({readings[position - 1]},{bound}]") if position else f"?{bound}"


def skipped_by_next(source: Source, series: str, name: str) -> bool:
    """Whether the series after this one, but not the one after that, lacks a name: then it came here by back-port."""
    marks = source.merged[name]["series"]
    later = source.order[source.order.index(series) + 1 :]
    return bool(later) and later[0] not in marks and any(other in marks for other in later)


def backport(source: Source, series: str, name: str) -> str:
    """When a name came that the series before lacks, or got only after this series was out; "" for any other name."""
    position = source.order.index(series)
    marks = source.merged[name]["series"]
    if not position or not any(s in marks for s in source.order[:position]):
        return ""
    before = source.order[position - 1]
    if before in marks and not after_branching(source, series, since(source, before, name) or "0.0"):
        return ""
    return f"?{source.oldest(series)}"


def after_branching(source: Source, series: str, when: str) -> bool:
    """Whether a change inside the series before came, or may have come, after this series was first released."""
    before = source.order[source.order.index(series) - 1]
    start = version(when[1:-1].split(",")[0]) if when[0] == "(" else arrival(when)
    return all(source.in_line(before, v) for v in (start, arrival(when))) and arrival(when) > version(BRANCHED[series])


def until(source: Source, series: str, name: str) -> str:
    """When the name went within the line of the series; "" when it is still there."""
    merged = source.merged[name]
    mark, gone = merged.get("series", {}).get(series), exact(merged.get("gone", ""))
    if isinstance(mark, str) and mark.startswith("<"):
        bound = mark.lstrip("<")
        if (gone and arrival(gone) == version(bound)) or bound not in source.readings[series]:
            return bound
        earlier = [r for r in source.readings[series] if version(r) < version(bound)]
        return f"({max(earlier, key=version)},{bound}]"
    return gone if gone and source.in_line(series, arrival(gone)) else ""


def find_facts(source: Source, series: str, name: str) -> Facts:
    """The facts of the newest reading of the series, else of the nearest full reading that has the name."""
    newest = source.newest(series)
    if name in source.facts.get(newest, {}):
        return source.facts[newest][name]
    here = version(newest)
    full = sorted(source.facts, key=version)
    nearest = [v for v in reversed(full) if version(v) < here] + [v for v in full if version(v) > here]
    return next((source.facts[v][name] for v in nearest if name in source.facts[v]), {})


def owner_of(merged: Facts, raw: Facts) -> str:
    """Who brings the name; MariaDB's readings say "plugin" and the history says which."""
    owner: str = raw.get("own", "")
    return f"plugin:{merged['fam']}" if owner == "plugin" and "fam" in merged else owner


def line(source: Source, series: str, name: str) -> Facts | None:
    """What the data file of the series says about a name; None when it says nothing."""
    merged = source.merged[name]
    gone = until(source, series, name)
    if series not in merged.get("series", {}):
        if merged.get("docs"):
            return documented(source, series, merged)
        late = "" if gone else arrives_later(source, series, name)
        if not gone and not late:
            return None
        came = late
    else:
        came = since(source, series, name)
    raw = find_facts(source, series, name)
    if not raw:
        return {"m": 1} | ({"u": gone} if gone else {}) | ({"f": came} if came else {})
    if (key := (source.family, series, name, "cli")) in source.corrections:
        raw = raw | {"cli": json.loads(source.corrections[key][1])}
    computed = (source.family, series, name, "auto") in source.corrections
    out = encode(raw | {"auto": True} if computed else raw, owner_of(merged, raw))
    if out["t"] == "bool" and out.get("op") == "none":
        out |= as_switch(source.switches, source.family, series, name, out.get("ow", ""))
    history = older(source, series, name, out)
    deprecated = merged.get("depr", "")
    if "dp" in out and deprecated and not deprecated.startswith("<") and source.in_line(series, arrival(deprecated)):
        out["dv"] = deprecated
    return out | ({"f": came} if came else {}) | ({"u": gone} if gone else {}) | ({"ch": history} if history else {})


def documented(source: Source, series: str, merged: Facts) -> Facts | None:
    """A name known from the manuals only: perhaps there, from its introduction to its removal."""
    newest = version(source.newest(series))
    came, gone = merged.get("intro", ""), merged.get("gone", "")
    if (came and arrival(came) > newest) or (gone and arrival(gone) <= line_starts(source.family)[series]):
        return None
    out: Facts = {"m": 1}
    if came and source.in_line(series, arrival(came)):
        out["f"] = came
    if gone and source.in_line(series, arrival(gone)):
        out["u"] = gone
    return out


def arrives_later(source: Source, series: str, name: str) -> str:
    """A dated "perhaps" for names that a later series got in mid-series.

    They may have been back-ported to this series after its newest reading.
    """
    position = source.order.index(series)
    marks = source.merged[name].get("series", {})
    if (source.family, series) == (Family.MYSQL, "5.7"):  # closed: 5.7.44 was the last, and brought no options
        return ""
    for other in source.order[position + 1 :]:
        if other in marks:
            came = since(source, other, name)
            inside = came.startswith("(") and source.in_line(other, version(came[1:].split(",")[0]))
            return f"({source.newest(series)},]" if inside or came.startswith("?") else ""
    return ""


def share_alias_history(merged: dict[str, Facts], pairs: list[Facts]) -> None:
    """A renamed variable holds the value of the old spelling and changed with it; the history dates the old one."""
    for pair in pairs:
        old, new = merged.get(pair["old"]), merged.get(pair["new"])
        if pair["kind"] == "rename" and old and new:
            known = {(c["f"], c["v"]) for c in new.get("chg", [])}
            extra = [c for c in old.get("chg", []) if c["f"] != "dep" and (c["f"], c["v"]) not in known]
            came = arrival(new["intro"]) if "intro" in new else (0, 0, 0)
            new.setdefault("chg", []).extend(c for c in extra if arrival(c["v"]) > came)


def write(path: Path, head: Facts, rows: dict[str, Any]) -> None:
    """One header line, then the rows by name."""
    lines = [f"#\t{json.dumps(head, sort_keys=True)}"]
    lines += [
        f"{name}\t{json.dumps(row, separators=(',', ':'), ensure_ascii=False)}" for name, row in sorted(rows.items())
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def series_rows(source: Source, series: str) -> dict[str, Facts]:
    """Every name of a series with what is known of it, ignored names included."""
    rows = {name: row for name in source.merged if (row := line(source, series, name)) is not None}
    reading = source.newest(series)
    for name, kind in source.ignored.get(reading, {}).items():
        rows.setdefault(name, {"u": "0.0"})["ig"] = kind
    return {name: whole(row) for name, row in rows.items()}


def whole(value: Any) -> Any:
    """Whole numbers beyond 2^53 are text in the source."""
    if isinstance(value, dict):
        return {key: whole(item) if key in ("lo", "hi", "d", "ch") else item for key, item in value.items()}
    if isinstance(value, list):
        return [whole(item) for item in value]
    if value == "FALSE":  # the text of enforce_gtid_consistency's option; the variable shows OFF
        return "OFF"
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d{15,}", value) else value


def galera_rows(servers: Facts) -> dict[str, Facts]:
    """Series → {"provider": version, "options": defaults} of the provider read with that series."""
    rows: dict[str, Facts] = {}
    for label, options in servers["galera"].items():
        provider, series = re.fullmatch(r"galera (\S+) \(with mariadb (\d+\.\d+)\.\d+\)", label).groups()  # type: ignore[union-attr]
        rows[series] = {"provider": provider, "options": options}
    return rows


def rename_rows(renames: Facts) -> dict[str, list[Facts]]:
    """Old name → what became of it, per family; `cross` names have the other family's equivalent."""
    rows: dict[str, list[Facts]] = {}
    paired = set()
    for pair in renames["pairs"]:
        row = {"family": pair["flavour"], "new": pair["new"], "kind": pair["kind"]}
        row |= {"since": pair.get("new_since") or "", "removed": pair.get("removed_in") or ""}
        rows.setdefault(pair["old"], []).append(row)
        paired.add((pair["flavour"], pair["old"]))
    for gone in renames["removed"]:
        if (gone["flavour"], gone["name"]) not in paired:
            kind = "replaced" if gone.get("new") else "removed"
            row = {"family": gone["flavour"], "new": gone.get("new", ""), "kind": kind}
            rows.setdefault(gone["name"], []).append(row | {"since": "", "removed": gone["removed_in"] or ""})
    for pair in renames["cross"]:
        for ours, theirs in (("mysql", "mariadb"), ("mariadb", "mysql")):
            row = {"family": ours, "new": pair[ours], "kind": "equivalent", "since": "", "removed": ""}
            rows.setdefault(pair[theirs], []).append(row)
    return rows


def presence_lines(table: dict[tuple[Family, str], dict[str, Facts]]) -> list[str]:
    """`name<TAB>bits bits`, hexadecimal: the eras that certainly take the name, and those that perhaps do."""
    bits: dict[str, list[int]] = {}
    for position, era in enumerate(eras()):
        asked = span(era.release())
        for name, row in table[era.family, era.series].items():
            there = presence(row, asked)
            slot = bits.setdefault(name, [0, 0])
            if there is When.AFTER or "ig" in row:
                slot[0] |= 1 << position
            elif there is When.EITHER:
                slot[1] |= 1 << position
    return [f"{name}\t{sure:x} {perhaps:x}" for name, (sure, perhaps) in sorted(bits.items()) if sure or perhaps]


def main(servers_dir: Path, out: Path) -> None:
    """Read the source files and write every data file."""
    servers = json.loads((servers_dir / "variables.json").read_text(encoding="utf-8"))
    renames = json.loads((servers_dir / "renames.json").read_text(encoding="utf-8"))
    share_alias_history(servers["merged"]["mysql"], [p for p in renames["pairs"] if p["flavour"] == "mysql"])
    table: dict[tuple[Family, str], dict[str, Facts]] = {}
    for family in Family:
        source = Source(family, servers, read_corrections())
        for series in source.order:
            rows = table[family, series] = series_rows(source, series)
            head = {"made": servers["made"], "names": len(rows), "readings": source.readings[series]}
            write(out / f"{family}-{series}.tsv", head, rows)
        for series, changes in read_manuals(family).items():
            before = source.order[-1]
            rows = table[family, series] = inherit(table[family, before], before, series, changes)
            head = {"made": servers["made"], "names": len(rows), "readings": [], "from": source.newest(before)}
            write(out / f"{family}-{series}.tsv", head, rows)
        how_computed = servers["auto"][family] | computed(source.corrections, family)
        auto = {name: {"how": how} for name, how in how_computed.items()}
        write(out / f"automatic-{family}.tsv", {"made": servers["made"]}, auto)
    lines = ["# name\teras that take it, eras that perhaps do", *presence_lines(table)]
    (out / "presence.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    write(out / "galera.tsv", {"made": servers["made"]}, galera_rows(servers))
    write(out / "renames.tsv", {"made": servers["made"]}, rename_rows(renames))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2] if len(sys.argv) > 2 else DATA))
