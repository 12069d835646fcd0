"""Which single figures of a case's outputs have a word of their own among the observations?

Shares, times, lags and effects are known by the name they stand under: "cpu_percent", "fsync_ms".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmarks.diagnosis.before_and_after import trials_of
from benchmarks.diagnosis.label_forms import effect_of, spans
from benchmarks.diagnosis.setting_labels import settings_of

_RATE_NAME: Final = re.compile(
    r"\b(?:tps|inserts?|commits?|transactions?|rows?|writes?|updates?) (?:per|a) s(?:ec(?:ond)?)?\b"
    r"|\b(?:tps|rows s|inserts s)$"
)
_ROWS_IN_TIME: Final = re.compile(
    r"\b(\d[\d,]*) (?:rows|inserts|records|updates|statements)\D{0,25}?(\d+(?:\.\d+)?) ?(?:s|sec|seconds)?$"
)
_PERCENT_OF_HOST: Final = (
    (re.compile(r"\bio ?wait|\bwa\b"), "iowait"),
    (re.compile(r"\b(?:disk|device|io)\b.*\butil|\butil(?:isation|ization)?\b(?!.*cpu)"), "disk_util"),
    (re.compile(r"^(?!.*(?:core|thread|coordinator|worker|applier|sys|steal|client)).*\bcpu\b"), "cpu_util"),
)
_TIMES: Final = (
    (re.compile(r"\bf(?:data)?sync\b.*\bms\b|\bsync ms\b"), "fsync_ms"),
    (re.compile(r"\b(?:rtt|ping|round trip)\b.*\bms\b"), "rtt_ms"),
)
_OF_HOST: Final = ("cpu_util", "iowait", "disk_util", "swap_in_per_second")
_LAG: Final = re.compile(r"seconds behind|\blag s\b|\blag seconds\b|^lag$|replica lag s")
_REMARKED: Final = re.compile(r"([a-z][\w.-]*)\s*=\s*(\S+)\s*\((.*)\)$", re.IGNORECASE)
_CHANGE: Final = re.compile(r"change.*(?:percent|pct)|(?:percent|pct).*change")
_SWAP: Final = re.compile(r"\bsi\b|pswpin|swap in")
_ToldEffect = tuple[dict[str, Any], list[Any], dict[str, Any]]  # new values, old values, what came of it
_CHANGED: Final = re.compile(r"what was (?:changed|tried)|^(?:changes?|changed|tried|trials?|attempts?|experiments?)\b")
_MOVED: Final = re.compile(r"\b([a-z]+_[a-z_]+)\W{1,3}([\w.]+)(?: ?(?:->|→) ?| to )([\w.]+)", re.IGNORECASE)
_MOST_AT_ONCE: Final = 2  # settings: of more, nobody knows which one helped
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_OFTEN: Final = re.compile(r"every (\d+|few|ten|sixty|thirty)? ?(s|sec|seconds?|min|minutes?)\b")
_WORD_NUMBERS: Final = {"": 1, "ten": 10, "thirty": 30, "sixty": 60}
_DIP: Final = re.compile(r"\bdips?\b|drops?|stall|spike|pause|freez|falls")


def figures_of(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """Host shares, times, lag and the effects of what was changed, as observations."""
    outputs = evidence.get("outputs", {})
    told: dict[str, Any] = {}
    host: dict[str, float] = {}
    for label, raw in _named_values("", outputs):
        for word, number in _figure(label, raw):
            (host if word in _OF_HOST else told).setdefault(word, number)
    if host:
        told["host"] = host
    if "throughput_per_second" not in told and (rate := _rate(outputs)):
        told["throughput_per_second"] = rate
    if jumps := _jumps(outputs):
        told["lag_seconds"] = jumps
    if seconds := _period(evidence):
        told["dips_every_seconds"] = seconds
    if tried := [*_effects(evidence), *_spanned(outputs), *trials_of(evidence)]:
        told["tried"] = tried
    return told


def _named_values(label: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _named_values(f"{label} {key}".strip(), inner)
    else:
        yield label.replace("_", " ").lower(), value


def _figure(label: str, raw: Any) -> Iterator[tuple[str, float]]:
    numbers = [float(n) for n in _NUMBER.findall(str(raw))] if not isinstance(raw, bool) else []
    if len(numbers) != 1 and not isinstance(raw, list):
        return
    number = sum(numbers) / len(numbers) if numbers else 0.0
    told_in_percent = bool(re.search(r"percent|pct|%", f"{label} {raw}")) or 1 < number <= 100
    for pattern, word in _PERCENT_OF_HOST:
        if pattern.search(label) and told_in_percent and number <= 100:
            yield word, number / 100
            return
    for pattern, word in _TIMES:
        if numbers and pattern.search(label):
            yield word, number
    if numbers and _SWAP.search(label):
        yield "swap_in_per_second", number


def _rate(outputs: Mapping[str, Any]) -> float | None:
    """The first single rate; else the rows that are told to take some time, by that time."""
    values = [(label, raw) for label, raw in _named_values("", outputs) if not isinstance(raw, bool)]
    for label, raw in values:
        if isinstance(raw, int | float) and raw > 0 and _RATE_NAME.search(label):
            return float(raw)
    for label, raw in values:
        if span := _ROWS_IN_TIME.search(f"{label}: {raw}"):
            return float(span[1].replace(",", "")) / max(0.001, float(span[2]))
    return None


def _jumps(outputs: Mapping[str, Any]) -> dict[str, float]:
    """The least and the largest lag of a series."""
    for name, value in outputs.items():
        if _LAG.search(name.replace("_", " ")) and isinstance(value, Mapping | list):
            series = list(value.values()) if isinstance(value, Mapping) else value
            numbers = [float(n) for n in series if isinstance(n, int | float) and not isinstance(n, bool)]
            if len(numbers) > 1:
                return {"min": min(numbers), "max": max(numbers)}
    return {}


def _period(evidence: Mapping[str, Any]) -> float | None:
    """How far apart dips are, where a text says both that there are dips and how often."""
    texts = [f"{label}: {raw}" for label, raw in _named_values("", evidence.get("outputs", {})) if isinstance(raw, str)]
    for text in (*texts, *evidence.get("workload", [])):
        if _DIP.search(text.lower()) and (often := _OFTEN.search(text.lower())):
            if often[1] == "few":
                continue
            count = _WORD_NUMBERS.get(often[1] or "", 0) or float(often[1])
            return count * (60 if often[2].startswith("min") else 1)
    return None


def _effects(evidence: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What was changed, where the label names it and the text tells the effect; and options "without effect"."""
    options = dict(_options(evidence))
    for label, raw in _named_values("", evidence.get("outputs", {})):
        for changed, was, effect in _told_effects(label, raw, options):
            what, to = list(changed), list(changed.values())
            single = len(what) == 1
            yield {"what": what[0] if single else what, "from": was[0] if single else was,
                   "to": to[0] if single else to, **effect}  # fmt: skip
    for lines in evidence.get("config", {}).values():
        for line in lines:
            option = _REMARKED.match(line)
            if option and (effect := effect_of(option[3])):
                name, value = option[1].lower().replace("-", "_"), option[2]
                yield {"what": name, "from": _before(value), "to": _typed(value), **effect}


def _told_effects(label: str, raw: Any, options: Mapping[str, Any]) -> Iterator[_ToldEffect]:
    """Settings that a label names, their values before, and the effect in the text.

    In the lines of what was changed, the label is what stands before the colon: "sync_binlog 1 -> 25: twice as fast".
    """
    texts = raw if isinstance(raw, list) else [raw]
    pairs = [(label, text) for text in texts if isinstance(text, str)]
    if _CHANGED.search(label):
        pairs = [(left, right) for _, text in pairs for left, _, right in [text.partition(": ")] if right]
    elif isinstance(raw, list):
        return
    for left, right in pairs:
        moved = _MOVED.findall(left)
        was = {name.lower(): _typed(value) for name, value, _ in moved}
        changed = {**settings_of(_MOVED.sub("", left)), **{name.lower(): _typed(value) for name, _, value in moved}}
        changed = changed or _by_value(left, options)
        if 0 < len(changed) <= _MOST_AT_ONCE and (effect := effect_of(right)):
            yield changed, [was.get(name, _was_before(name, value, options)) for name, value in changed.items()], effect


def _was_before(name: str, value: Any, options: Mapping[str, Any]) -> Any:
    known = options.get(name)
    return _before(value) if known is None or known == value else known


def _options(evidence: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for lines in evidence.get("config", {}).values():
        for line in lines:
            if option := re.match(r"([a-z][\w.-]*)\s*=\s*([\w.]+)", line, re.IGNORECASE):
                yield option[1].lower().replace("-", "_"), _typed(option[2])


def _by_value(label: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """ "with 0" where a single option is known: that option with this value."""
    if len(options) == 1 and (value := re.search(r"\b(?:with|at|to) (\d+)$", label)):
        return {next(iter(options)): int(value[1])}
    return {}


def _before(value: Any) -> Any:
    text = str(value).lower()
    return {"0": 1, "1": 0, "off": "ON", "on": "OFF"}.get(text, "none")


def _typed(text: str) -> Any:
    return int(text) if text.isdigit() else text


def _spanned(outputs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A factor with two values beside the change of the rate in percent."""
    percents = [value for name, value in outputs.items() if _CHANGE.search(name) and isinstance(value, int | float)]
    for name, low, high in spans(outputs):
        what = "clients" if re.search(r"connection|client|thread|session", name) else name
        for percent in percents[:1]:
            rates = {"throughput_before": 100, "throughput_after": max(1.0, 100 + percent)}
            yield {"what": what, "from": low, "to": high, **rates}
