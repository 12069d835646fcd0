"""Which settings did somebody change, as they tell it in a sentence, and what came of it?

"innodb_doublewrite=0: same rate" and "5 times faster with sync_binlog=0" are entries like those of `observed.tried`. A
sentence counts if it names one setting with a value and says what came of it; advice, plans and questions do not count.
Where the old value is not told, it is the opposite of the new one, or the value in force.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from advisor.evidence.member_facts import MemberFacts

_FREE_TEXTS: Final = ("notes", "symptoms", "workload", "storage")
# "innodb_doublewrite=0", "set sync_binlog to 0", "innodb-io-capacity at 2000"; a name has an underscore or a hyphen.
_SETTING: Final = re.compile(
    r"\b(?P<name>[a-z]+(?:[_-][a-z0-9]+)+)\b\s*(?:=|:=|\b(?:set |changed |raised |lowered |back )?(?:to|at|of)\b)\s*"
    r"(?P<value>\d+(?:\.\d+)?\s?[kmgt]?b?\b|on\b|off\b|none\b|minimal\b|full\b|disabled\b|enabled\b)",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[.;](?:\s|$)|\n")
_NOT_DONE: Final = re.compile(
    r"\?|\b(?:should|could|would|might|may|can|recommend\w*|suggest\w*|advi[cs]\w+|plans?|planned|try|if"
    r"|but|however|until|while)\b",
    re.IGNORECASE,
)
_WITH_IT: Final = re.compile(r"\b(?:with|after|by|when|once|setting|using|under|at)\s+$", re.IGNORECASE)
_TIMES: Final = re.compile(r"\b(\d+(?:\.\d+)?)\s?(?:x|times)\b(?!\s*(?:slow|long|less|low))", re.IGNORECASE)
_MOST_TIMES: Final = 1000.0
_NO_DIFFERENCE: Final = (
    r"\b(?:no|without(?: any)?|little|hardly any|not? much|not any|nearly no|almost no)\s(?:\w+\s)?"
    r"(?:change|effect|difference|improvement|gain|help|influence|impact|benefit|success|degradation)\b"
    r"|\b(?:did(?: not|n't)|do(?:es)?(?: not|n't)|not|never)\s(?:really |much |at all )?"
    r"(?:help|change|matter|improve|cure|solve|faster|better|quicker)"
    r"|\bunchanged\b|\bthe same\b|\bsame (?:rate|speed|time|tps|qps|lag|latency|throughput|result)"
    r"|\bas (?:slow|bad|before)\b|\bno (?:faster|better)\b"
)
# What is said of a change, the first that fits: no difference before better and worse ("not faster").
_EFFECTS: Final = {
    "none": re.compile(_NO_DIFFERENCE, re.IGNORECASE),
    "solved": re.compile(
        r"\b(?:gone|solved|cured|disappear\w*|vanish\w*|fixed|caught up|back to normal|no (?:more|longer))\b",
        re.IGNORECASE,
    ),
    "worse": re.compile(r"\b(?:slower|worse|longer)\b", re.IGNORECASE),
    "better": re.compile(
        r"\b(?:faster|better|quicker|shorter|fast|help(?:s|ed)|improve[sd]?|halved|great)\b", re.IGNORECASE
    ),
}
_LESS: Final = re.compile(r"\b(?:lower|less|drops|dropped|fell|falls|down)\b", re.IGNORECASE)
_MORE: Final = re.compile(r"\b(?:higher|more|rises?|rose|grows?|grew|doubled|up)\b", re.IGNORECASE)
_COST: Final = re.compile(
    r"\b(?:lag|latency|times?|waits?|iowait|load|cpu|queue|stalls?|seconds|ms|behind|util)\b", re.IGNORECASE
)
_OPPOSITE: Final = {"0": 1, "1": 0, "2": 1, "on": "OFF", "off": "ON", "none": "ON", "disabled": "ON", "enabled": "OFF",
                    "minimal": "FULL", "full": "MINIMAL"}  # fmt: skip


def told_trials(e: MemberFacts) -> Iterator[dict[str, Any]]:
    """One entry per sentence that tells of one changed setting and of its effect."""
    e.get("observed.notes", None)  # what all signs of one report have in common
    for sentence in _sentences(e):
        named = list(_SETTING.finditer(sentence))
        if len(named) == 1 and not _NOT_DONE.search(sentence):
            yield from _entry(e, sentence, named[0])


def _sentences(e: MemberFacts) -> Iterator[str]:
    for name, known in e.member.observed.items():
        if name.partition(".")[0] in _FREE_TEXTS:
            values = known.value if isinstance(known.value, tuple) else (known.value,)
            for value in values:
                yield from _SENTENCE.split(str(value))


def _entry(e: MemberFacts, sentence: str, named: re.Match[str]) -> Iterator[dict[str, Any]]:
    before, after = sentence[: named.start()], sentence[named.end() :]
    said = f"{after} {before}" if _WITH_IT.search(before) else after
    name, value = named["name"].lower().replace("-", "_"), _typed(named["value"])
    times = _TIMES.search(said)
    effect = _effect(said)
    changed = {"what": name, "from": _old_value(e, name, value), "to": value}
    if effect != "none" and times and 1 < float(times[1]) <= _MOST_TIMES:
        yield {**changed, "throughput_before": 1.0, "throughput_after": float(times[1])}
    elif effect:
        yield {**changed, "effect": effect}


def _effect(said: str) -> str | None:
    """The word for what came of it; less of a cost (lag, latency, waits) is better, less of anything else is worse."""
    if told := next((effect for effect, pattern in _EFFECTS.items() if pattern.search(said)), None):
        return told
    less, more = _LESS.search(said), _MORE.search(said)
    if bool(less) == bool(more):
        return None
    return "better" if bool(less) == bool(_COST.search(said)) else "worse"


def _old_value(e: MemberFacts, name: str, value: Any) -> Any:
    """The value in force, if it is another; else the opposite. A larger size is assumed to replace a smaller one."""
    in_force = e.get(name, None)
    if in_force is not None and str(in_force).lower() != str(value).lower():
        return in_force
    return _OPPOSITE.get(str(value).lower(), 1)


def _typed(text: str) -> Any:
    plain = text.strip()
    return int(plain) if plain.isdigit() else plain
