"""How are many releases named in few words?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.model.server import join_labels


def holds_for(those: Sequence[str], everything: Sequence[str]) -> str:
    """Where something holds that does not hold everywhere, from the shorter side."""
    rest = [label for label in everything if label not in those]
    if 0 < len(rest) < len(those):
        return f"every possible release but {join_labels(rest)}"
    return join_labels(those)


def would_start(answers: Mapping[str, bool | None]) -> str:
    """Whether the server comes up with these options, in one sentence; "" when it does in every release."""
    yes, no, open_ = (
        [label for label, answer in answers.items() if answer is wanted] for wanted in (True, False, None)
    )
    if not no:
        return ""
    if not yes and not open_:
        return "the server does not start with these options"
    parts = [f"does not start on {join_labels(no)}"]
    parts += [f"starts on {join_labels(yes)}"] if yes else []
    parts += [f"cannot be told for {join_labels(open_)}"] if open_ else []
    return "the server " + "; ".join(parts)
