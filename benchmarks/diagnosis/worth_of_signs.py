"""`python -m benchmarks.diagnosis.worth_of_signs`: how far can an observation be trusted? By signs of the same kind.

On the kept plays of the open gym whose label is proved: how often a cause that is at work shows some sign of a kind,
and how often one that is not shows none. The figures are those of rules/observations.yaml. Reported words are left
out, and causes that are accepted but were not played count as neither.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from advisor.check.possible_releases import release_assumptions
from advisor.conditions import Missing, bind, decide, names
from advisor.evidence import read_path
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Cause, Sign
from advisor.why.causes import concerns, matters
from advisor.why.explained_time import explained_time
from advisor.why.interval import under_load
from advisor.why.members import MembersByRole, members_by_role
from advisor.why.rules.loader import load_causes
from benchmarks.diagnosis.gym.kept import bundle_of, kept_result
from benchmarks.diagnosis.gym.mechanisms import load_plays
from benchmarks.diagnosis.gym.score import Played

_KEEP: Final = Path(__file__).parent / "plays"
_OF_THE_TIME: Final = 0.3  # a class of waits with so much of it says yes


def main() -> int:
    """Print both shares for each kind of sign; 0."""
    seen: dict[str, dict[bool, list[bool]]] = defaultdict(lambda: {True: [], False: []})
    plays = list(_proved())
    for played, members in plays:
        for cause in load_causes():
            is_played = cause.id in played.mechanism.causes
            if is_played == played.holds(cause.id):
                for kind, says_yes in _kinds(cause, members):
                    seen[kind][is_played].append(says_yes == is_played)
    print(f"{len(plays)} plays")
    for kind, right in sorted(seen.items()):
        yes, no = right[True], right[False]
        print(f"{kind:9} yes where it is: {sum(yes)} of {len(yes)}; no where it is not: {sum(no)} of {len(no)}")
    return 0


def _proved() -> Iterator[tuple[Played, MembersByRole]]:
    for play in load_plays("open")[0]:
        kept = kept_result(_KEEP, play)
        if kept and "error" not in kept and (played := Played(play.name, play.mechanism, kept)).proved:
            cluster = under_load(read_path(str(bundle_of(_KEEP, play))))
            yield played, members_by_role(release_assumptions(cluster, ())[0][-1])


def _kinds(cause: Cause, members: MembersByRole) -> Iterator[tuple[str, bool]]:
    """Each kind that some sign of the cause is of and could be read, and whether one of that kind says yes."""
    views = [view for view in members.deciding(cause.where) if concerns(cause, view)]
    said: dict[str, list[bool]] = defaultdict(list)
    for view in views:
        for sign in cause.signs:
            truth = decide(bind(sign.tree), view.value)
            if not isinstance(truth, Missing) and "told_" not in sign.when and "reported" not in sign.says:
                said[_kind(sign, view)].append(truth)
        if cause.explains and matters(cause, view) and (time := explained_time(cause, view)):
            said["waits"].append(time.own_share >= _OF_THE_TIME)
    yield from ((kind, any(answers)) for kind, answers in said.items())


def _kind(sign: Sign, view: MemberFacts) -> str:
    read = [name for own in names(sign.tree) for name in (own, *view.inputs(own))]
    heads = {name.partition(".")[0] for name in read}
    if heads & {"rate", "delta"}:
        return "twice"
    if "host" in heads:
        return "machine"
    return "once" if heads & {"replica", "status", "fact", "tables"} else "settings"


if __name__ == "__main__":
    sys.exit(main())
