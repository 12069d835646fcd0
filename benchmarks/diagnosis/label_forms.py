"""Which forms do measurements and their labels take in reports? Effects in words, values after a label, usual states.

"30% faster", "no change", "flush_log=2 and sync_binlog=0", "500 per statement", "stock": words of the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_ABBREVIATED: Final = {
    "flush_log": "innodb_flush_log_at_trx_commit",
    "trx_commit": "innodb_flush_log_at_trx_commit",
    "flush_log_at_trx_commit": "innodb_flush_log_at_trx_commit",
    "commit": "innodb_flush_log_at_trx_commit",
    "doublewrite": "innodb_doublewrite",
    "buffer_pool": "innodb_buffer_pool_size",
    "buffer_pool_size": "innodb_buffer_pool_size",
    "log_file_size": "innodb_log_file_size",
    "io_capacity": "innodb_io_capacity",
    "flush_method": "innodb_flush_method",
    "thread_concurrency": "innodb_thread_concurrency",
    "autoinc_lock_mode": "innodb_autoinc_lock_mode",
    "workers": "replica_parallel_workers",
    "slave_threads": "wsrep_slave_threads",
    "parallel_threads": "slave_parallel_threads",
    "fc_limit": "gcs.fc_limit",
}
_ASSIGNED: Final = re.compile(r"\b([a-z][\w.]*?)\s*=\s*([\w.]+)", re.IGNORECASE)
_OPTION_IN_LABEL: Final = re.compile(
    r"((?:innodb|sync|binlog|query_cache|performance|slave|replica|wsrep|table|thread|gtid|log|gcs|group_replication|rpl)_[a-z_]*[a-z])"
    r"[_ =]+(\d+[kmg]?|on|off|none|full|minimal|row|statement|mixed|o_direct|fsync)(?![a-z0-9])"
)
_BATCH: Final = re.compile(
    r"\b(\d+)[ _]?(?:rows?[ _])?per[ _](?:statement|transaction|insert|commit|batch)|"
    r"\bbatch(?:es)?[ _]?(?:of[ _])?(\d+)"
)
_ALONE: Final = re.compile(
    r"\b(?:one|1|single)[ _](?:row[ _])?(?:per|at)\b|row[ _]by[ _]row|\bseparate\b|"
    r"\bindividual|single[ _]?(?:row|insert)|one[ _]by[ _]one"
    r"|\bautocommit\b|\bunbatched\b"
)
_TOGETHER: Final = re.compile(
    r"\bmulti[ _-]?(?:row|value)|\bbatched\b|\bbatch\b|\bbulk\b|"
    r"one[ _](?:big[ _])?transaction|extended|load[ _]data|in[ _]one"
)
_USUAL: Final = re.compile(
    r"^(?:stock|plain|default|defaults|before|base|baseline|normal|usual|original|standard|"
    r"now|today|without|off|old|as is|unchanged|vanilla)\b",
    re.IGNORECASE,
)
_FASTER: Final = r"faster|quicker|higher|more|better|improve\w*|up|gain"
_SLOWER: Final = r"slower|lower|less|worse|loss|drop\w*|down|longer|regress\w*"
_PERCENT: Final = re.compile(rf"(\d+(?:\.\d+)?) ?(?:%|percent) ?(?:({_FASTER})|({_SLOWER}))")
_TIMES: Final = re.compile(rf"(\d+(?:\.\d+)?) ?(?:times|x|fold) (?:as fast|({_FASTER})|({_SLOWER}))?")
_NONE: Final = re.compile(
    r"\bno (?:effect|change|difference|improvement|gain|help)|\bsame\b|\bunchanged|"
    r"still (?:slow|there|hangs|behind|bad)|did not help|"
    r"does not help|without effect|not? (?:better|faster)|persists|makes no difference"
)
_HELPED: Final = re.compile(
    r"\b(?:fast again|gone|solved|cured|disappear\w*|fine\b|back to normal|"
    r"half the time|instead of (?:\w+ )?(?:minutes|hours|days)|no (?:more )?(?:lag|stalls?|problem|delay)|"
    r"no (?:more )?(?:drops|dips|spikes|waits?|timeouts|deadlocks|freezes)|helped|helps|"
    r"went away|resolved|fixed|normal again|at once|immediately|vanish\w*|keeps up|caught up)"
)
_IMPROVED: Final = re.compile(
    r"\b(?:much|far|clearly|generally|considerably|noticeably|a lot) (?:higher|faster|quicker|better|shorter|less)"
    r"|\b(?:higher|faster|quicker|better) (?:throughput|rate|everywhere|again)|(?:most|half) of the (?:gap|loss|delay)"
)
_WORSENED: Final = re.compile(r"\b(?:much|far|clearly|considerably|noticeably|a lot) (?:lower|slower|worse|longer)")
_TWO_TIMES: Final = re.compile(
    r"(\d+(?:\.\d+)?) ?(ms|s|sec|seconds|min|minutes|h|hours)\b ?(?:->|→) ?(\d+(?:\.\d+)?) ?\2\b"
)
_MANY_ROWS: Final = 100


def assigned(label: str) -> dict[str, Any]:
    """Settings that a label gives a value: "flush_log=2 and sync_binlog=0"."""
    found: dict[str, Any] = {}
    in_label = _OPTION_IN_LABEL.findall(re.sub(r"[ -]", "_", label.lower()))
    for name, value in (*in_label, *_ASSIGNED.findall(label.lower())):
        found[_ABBREVIATED.get(name, name)] = int(value) if value.isdigit() else value
    return found


def rows_per_commit(label: str) -> int | None:
    """How many rows go together, where a label says it."""
    plain = label.lower()
    if (count := _BATCH.search(plain)) and int(count[1] or count[2]) > 1:
        return int(count[1] or count[2])
    if _ALONE.search(plain):
        return 1
    return _MANY_ROWS if _TOGETHER.search(plain) else None


def is_usual(label: str) -> bool:
    """Whether a label stands for the state to which others are compared."""
    return bool(_USUAL.match(label.replace("_", " ").strip()))


def effect_of(text: str) -> dict[str, Any]:
    """Rates before and after as told in words, or `effect`; {} where the text tells no effect."""
    plain = text.lower()
    if (part := _PERCENT.search(plain)) and (part[2] or part[3]):
        change = float(part[1]) / 100
        return _rates(1 + change if part[2] else max(0.01, 1 - change))
    if (times := _TIMES.search(plain)) and float(times[1]):
        return _rates(1 / float(times[1]) if times[3] else float(times[1]))
    if spent := _TWO_TIMES.search(plain):
        return {"seconds_before": float(spent[1]), "seconds_after": float(spent[3])}
    if _NONE.search(plain):
        return {"effect": "none"}
    in_words = {"solved": _HELPED, "better": _IMPROVED, "worse": _WORSENED}
    return next(({"effect": effect} for effect, words in in_words.items() if words.search(plain)), {})


def _rates(ratio: float) -> dict[str, Any]:
    return {"throughput_before": 100, "throughput_after": round(100 * ratio, 1)}


def spans(outputs: Mapping[str, Any]) -> Iterator[tuple[str, float, float]]:
    """Factors that were changed from one value to another: {"connections": [100, 1500]}."""
    for name, value in outputs.items():
        if isinstance(value, list) and len(value) == 2 and all(isinstance(n, int | float) for n in value):
            yield name, float(value[0]), float(value[1])
