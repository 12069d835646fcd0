"""Can the option file and the defaults be believed where a few running values are known?

A report such as that of pt-mysql-summary shows some variables, and the option file that it found. If a running value
is neither what that file says nor the default, the server got options from elsewhere (a command line, a container, SET
GLOBAL), and then nothing that was not read from the server is certain.
"""

from __future__ import annotations

from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact
from advisor.model.record import replace

_WHOLE_DUMP = 200  # variables; as in advisor/evidence/member_facts.py
_ROUNDED_BY = 0.1  # share: a report prints sizes with one decimal or none


def is_whole_dump(view: MemberFacts) -> bool:
    """Whether all variables of the running server are known: what is not among them does not exist there."""
    return len(view.member.variables) >= _WHOLE_DUMP


def contradiction(view: MemberFacts) -> str:
    """The sentence that says why only running values are certain; "" where nothing speaks against the others."""
    member = view.member
    if not 0 < len(member.variables) < _WHOLE_DUMP or member.options is None:
        return ""
    by_file = MemberFacts(replace(member, variables={}), view.release, view.settings, view.topology)
    for name, running in view.running.items():
        expected = by_file.fact(name)
        if isinstance(expected, Fact) and _differ(running, expected):
            return (
                f"the running value of {name} is neither in the option file nor the default, so other settings may "
                "also come from elsewhere"
            )
    return ""


def _differ(running: Fact, expected: Fact) -> bool:
    """Whether two numbers, or two switches, differ by more than a report rounds; texts have many spellings."""
    one, two = running.value, expected.value
    if isinstance(one, bool) or isinstance(two, bool):
        return isinstance(one, bool) and isinstance(two, bool) and one is not two
    if not isinstance(one, int | float) or not isinstance(two, int | float):
        return False
    return abs(one - two) > _ROUNDED_BY * max(abs(one), abs(two))
