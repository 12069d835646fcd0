"""How do a case's outputs, hardware and workload become observations?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.diagnosis.figures import figures_of
from benchmarks.diagnosis.label_forms import is_usual
from benchmarks.diagnosis.setting_labels import settings_of

_SLOWER_IS_MORE: Final = re.compile(
    r"seconds|minutes|_min$|hours|_ms|latency|lag|catch|(?:^|_)(?:s|h|time|duration|took|elapsed|setup_s|load_s)$"
)
_RATE: Final = re.compile(r"qps|tps|rate|throughput|_per_s|rows_s|requests|tpmc|rps", re.IGNORECASE)
_HOST: Final = {
    "cpu_percent": "cpu_util", "iowait_percent": "iowait", "disk_util_percent": "disk_util",
    "pswpin_per_s": "swap_in_per_second", "si": "swap_in_per_second", "swap_used": "swap_used_bytes",
}  # fmt: skip
_OF_ONE_THREAD: Final = re.compile(r"thread|core_|coordinator|worker|applier|client", re.IGNORECASE)
_SINGLE_ROWS: Final = re.compile(
    r"single-row|one transaction per insert|commit after each|single inserts|update_index|update_key|insert\.lua|dump"
)
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_PASSED_ON: Final = ("explain_rows", "rows_returned", "rows_examined")  # words of observations in their own right
_UNIT: Final = re.compile(
    r"(?:^|_)(rows_s|per_s|min|minutes|seconds|percent|pct|ms|tps|qps|rps|bytes|gb|mb|s|h)$", re.IGNORECASE
)
_RATES: Final = ("throughput_before", "throughput_after")
_PER_SECOND: Final = re.compile(r"(?:per|rows|requests|queries|statements|inserts|commits|mb|kb|gb)_s$")
_OF_REPLICAS: Final = re.compile(r"lag|behind|catch|replay|apply|backlog")
_SECONDS: Final = ("s", "h", "min", "minutes", "seconds", "ms")
_MEMORY: Final = re.compile(
    r"\b(\d+(?:\.\d+)?) ?gi?b? (?:of )?(?:main )?(?:memory|ram)\b|\b(?:memory|ram)\b\W{0,3}(\d+(?:\.\d+)?) ?gi?b?\b"
)
_GIB: Final = 1 << 30
_SIZES: Final = ("bytes", "gb", "mb", "percent", "pct")


def observed_measurements(evidence: Mapping[str, Any], topology: str) -> dict[str, Any]:
    """The observations: figures told once, comparisons as `tried`, numbers by clients as `scaling`, states."""
    told: dict[str, Any] = {**_hardware(evidence.get("hardware", [])), **_workload(evidence.get("workload", []))}
    config = {line.split("=")[0].strip().lower() for lines in evidence.get("config", {}).values() for line in lines}
    found_by_form = [pair for name, value in evidence.get("outputs", {}).items()
                     for pair in _output(name, value, topology, config)]  # fmt: skip
    for key, found in (*found_by_form, *figures_of(evidence).items()):
        if isinstance(found, list):
            told.setdefault(key, []).extend(found)
        elif isinstance(found, dict):
            told[key] = {**found, **told[key]} if isinstance(told.get(key), dict) else told.get(key, found)
        else:
            told.setdefault(key, found)
    return told


def _output(name: str, value: Any, topology: str, config: set[str]) -> Iterator[tuple[str, Any]]:
    if not isinstance(value, Mapping):
        if name in _PASSED_ON and (told := _figures({name: value})):
            yield name, told[name]
        return
    states = dict(_states(name, value))
    if states:
        yield "states", states
    host = {_HOST[word]: number for key, raw in value.items() for word in _HOST
            if key.lower().endswith(word) and not _OF_ONE_THREAD.search(key)
            and (number := _share(key, raw)) is not None}  # fmt: skip
    if host:
        yield "host", host
    nested = {label: inner for label, inner in value.items() if isinstance(inner, Mapping)}
    if nested and all(re.fullmatch(r"\d+", str(key)) for inner in nested.values() for key in inner):
        yield from _by_clients(nested)
        return
    for label, inner in nested.items():
        yield from _compared(f"{name}_{label}", _figures(inner), topology, config)
    if name in _PASSED_ON:
        yield from ((f"{name}.{label}", number) for label, number in _figures(value).items())
        return
    figures = _figures({label: inner for label, inner in value.items() if label not in nested})
    by_value = [(float(label), rate) for label, rate in figures.items() if re.fullmatch(r"\d+", label)]
    if "_by_" in name and by_value:
        yield from _by_value(name.partition("_by_")[2], by_value, config)
    else:
        own = _unit(name)
        for unit in dict.fromkeys(_unit(label) or own for label in figures):
            if unit in _SIZES and not (unit == "percent" and "loss" in name):
                continue
            alike = {label: figure for label, figure in figures.items() if (_unit(label) or own) == unit}
            yield from _compared(f"{name}_{unit}" if unit else name, alike, topology, config, unit)


def _unit(label: str) -> str:
    """The unit a label ends with; figures of different units are never compared."""
    found = _UNIT.search(label)
    return found[1].lower() if found else ""


def _figures(value: Mapping[str, Any]) -> dict[str, float]:
    """Labels with one number each; a range or "more than 20%" counts by its mean."""
    found = {}
    for label, raw in value.items():
        numbers = (
            [float(n) for n in _NUMBER.findall(str(raw).replace(",", ""))]
            if not isinstance(raw, bool | list | Mapping)
            else []
        )
        if numbers:
            found[str(label)] = sum(numbers) / len(numbers)
    return found


def _by_clients(nested: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Rates by number of clients for each of several settings: the last with all of them, the others as tried."""
    known = {label: settings_of(label) for label in nested}
    base = max(nested, key=lambda label: (len([v for v in known[label].values() if v not in ("OFF", "off")]), label))
    yield "scaling", [{"clients": int(n), "throughput": rate} for n, rate in nested[base].items()]
    top = max(map(int, nested[base]))
    yield "throughput_per_second", max(map(float, nested[base].values()))
    yield "clients", top
    for label, rates in nested.items():
        if label != base and str(top) in rates:
            what = {key: _opposite(key) for key in known[base] if key not in known[label]}
            what |= {key: v for key, v in known[label].items() if known[base].get(key) != v}
            if what:
                yield "tried", [_trial(what, known[base], nested[base][str(top)], rates[str(top)])]


def _by_value(what: str, points: list[tuple[float, float]], config: set[str]) -> Iterator[tuple[str, Any]]:
    """Rates by the value of one setting, of those configured the one whose name contains the word."""
    name = next((option for option in sorted(config) if option.endswith(what) or what in option), what)
    points.sort()
    (low, before), (high, after) = points[0], points[-1]
    yield "tried", [{"what": name, "from": low, "to": high, "throughput_before": before, "throughput_after": after}]


def _compared(
    name: str, figures: dict[str, float], topology: str, config: set[str], unit: str = ""
) -> Iterator[tuple[str, Any]]:
    """Figures under one heading whose labels name different settings: each against the first."""
    lag = unit in _SECONDS or bool(_SLOWER_IS_MORE.search(name.lower()) and not _PER_SECOND.search(name.lower()))
    loss = "loss" in name.lower()
    threads = "slave_parallel_threads" if "catch" in name or "replay" in name else "clients"
    labelled = [(settings_of(label, threads), label, value) for label, value in figures.items()]
    named = [item for item in labelled if item[0] or is_usual(item[1])]
    if not any(settings for settings, _, _ in named):
        named = []
    if not named:
        rates = [value for _, label, value in labelled if _RATE.search(label) or _RATE.search(name)]
        if rates and min(rates) >= 0 and not lag and not loss:  # a difference is no rate
            yield "throughput_per_second", rates[0]
        return
    if not lag and not loss and (own := _own(named, topology)) is not None and own >= 0:
        yield "throughput_per_second", own
    if loss:
        named.insert(0, ({"durability": "relaxed", "semisync": "off"}, "", 0.0))
        named = [(settings, label, 100 - value) for settings, label, value in named]
    for at, (before, _, slow) in enumerate(named):
        for after, _, fast in named[at + 1 :]:
            changed = {
                key: after.get(key, _opposite(key)) for key in {**before, **after} if before.get(key) != after.get(key)
            }
            if len(changed) <= 2 and slow > 0 and fast > 0:
                yield "tried", [_trial(changed, before, slow, fast, _figure_names(name, lag=lag))]


def _figure_names(name: str, *, lag: bool) -> tuple[str, str]:
    """What a pair of figures is: rates, the lag of a replica, or how long the same work takes."""
    if not lag:
        return _RATES
    kind = "lag_seconds" if _OF_REPLICAS.search(name.lower()) else "seconds"
    return f"{kind}_before", f"{kind}_after"


def _own(named: list[tuple[dict[str, Any], str, float]], topology: str) -> float | None:
    """The figure of the server as it is: in its cluster, durable, with GTIDs; None when nobody can tell."""
    inside = [value for settings, _, value in named if settings.get("topology", topology) != "standalone"]
    return inside[0] if inside and topology != "standalone" else named[0][2] if topology == "standalone" else None


def _trial(
    changed: Mapping[str, Any], before: Mapping[str, Any], slow: float, fast: float, figures: tuple[str, str] = _RATES
) -> dict[str, Any]:
    what, to = list(changed), list(changed.values())
    was = [before.get(key, _opposite(key, changed[key])) for key in what]
    single = len(what) == 1
    return {"what": what[0] if single else what, "from": was[0] if single else was, "to": to[0] if single else to,
            figures[0]: slow, figures[1]: fast}  # fmt: skip


def _opposite(key: str, value: Any = None) -> Any:
    """What holds where a label does not say it."""
    usual = {
        "topology": "cluster",
        "durability": "durable",
        "innodb_flush_log_at_trx_commit": 1,
        "clients": 1,
        "storage": "disk",
        "sync_binlog": 1,
        "rows_per_transaction": 1,
        "replica_parallel_workers": 1,
        "slave_parallel_threads": 0,
        "wsrep_slave_threads": 1,
        "index": "none",
        "primary_key": "none",
        "innodb_doublewrite": "ON",
        "performance_schema": "ON",
        "query_cache_size": 1,
        "barrier": "on",
        "innodb_autoinc_lock_mode": 1,
        "numa": "all nodes",
    }
    if key in ("gtid_mode", "log_bin", "semisync", "auto_increment"):
        return "OFF" if value in (None, "ON", "on") else "ON"
    return usual.get(key, "none")


def _states(name: str, value: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Thread states: {"state": …, "count": …}, or threads with a text like "67415 s Waiting for …"."""
    if "state" in value:
        count = value.get("count")
        for text in re.split(r",\s*the others\s+|;\s*", str(value["state"])):
            plain = re.sub(r"\s*\(.*?\)", "", text)
            yield plain, float(count) if isinstance(count, int | float) else 1.0
    for key, raw in value.items():
        if isinstance(raw, str) and "waiting" in raw.lower() and key != "state":
            for text in raw.split(" / "):
                yield re.sub(r"^[\d-]+ s\s*", "", text), _several(key)
        if key == "workers_total" and isinstance(value.get("workers_running"), int):
            yield "applying", float(value["workers_running"])
            yield "waiting for an event from coordinator", float(raw - value["workers_running"])
        if key.endswith("jbd2_percent"):
            yield "jbd2", float(raw)
        if (match := re.fullmatch(r"(\d+) of (\d+)", str(raw))) and "waiting_for" in key:
            yield key.partition("threads_")[2].replace("_", " "), float(match[1])
            yield "other", float(match[2]) - float(match[1])


def _several(key: str) -> float:
    span = re.search(r"(\d+)_to_(\d+)", key)
    return float(span[2]) - float(span[1]) + 1 if span else 1.0


def _share(key: str, raw: Any) -> float | None:
    values = raw if isinstance(raw, list) else [raw]
    numbers = [float(n) for n in values if isinstance(n, int | float)]
    if not numbers:
        return None
    mean = sum(numbers) / len(numbers)
    if not key.endswith("percent"):
        return mean
    return mean / 100 if mean <= 100 else None  # above 100 it is processors, of unknown many


def _hardware(texts: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in texts:
        low = text.lower()
        if cpus := re.search(r"(\d+)[ -]*(?:core|vcpu|cpus?\b|hardware thread|threads\))", low):
            found.setdefault("cpus", int(cpus[1]))
        if memory := _MEMORY.search(low):
            found.setdefault("memory_bytes", int(float(memory[1] or memory[2]) * _GIB))
        if link := re.search(r"(\d+)\s*g(?:bps|bit)", low):
            found["link_mbit"] = int(link[1]) * 1000
        if re.search(r"ssd|nvme|sata|disk|san\b|raid|hdd", low):
            found["storage"] = text
    return found


def _workload(texts: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in texts:
        low = text.lower()
        if re.search(r"one (?:\w+ )?(?:connection|client|thread)|with one thread|loop of single|one client", low):
            found["clients"] = 1
        elif clients := re.search(r"(\d+) (?:threads|clients|parallel)", low):
            found["clients"] = int(clients[1])
        if _SINGLE_ROWS.search(low):
            found["rows_per_transaction"] = 1
        if rows := re.search(r"delete of about (\d+) million rows", low):
            found["rows_per_transaction"] = int(rows[1]) * 1_000_000
    return found
