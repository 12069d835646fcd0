"""Which exit codes do the commands have, and what do they mean?"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """How a command ended; of several, the largest. The errors of advisor/errors.py carry the same numbers."""

    OK = 0
    FINDINGS = 1  # check: findings at or above --fail-on
    NO_IMPROVEMENT = 1  # tune: no configuration passed validation, or the user declined
    NOT_COMPARABLE = 1  # compare: a side differs in something that decides the write rate
    EXPECTATION_FAILED = 1  # experiment: a figure is not what the experiment expects
    USAGE = 2  # wrong usage, or input that cannot be read
    RULE_BROKEN = 3  # a rule, cause or search space is wrong
    SERVER_FAILED = 4  # a server, lab, load or this machine failed
    INTERRUPTED = 130  # Ctrl-C, as shells report it
