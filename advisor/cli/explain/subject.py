"""Which rule or option does a word name?"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.model.rules import Rule


def subject_of(word: str, rules: Sequence[Rule]) -> Rule | str:
    """The rule with that id, or the name of the option; UsageError when there is neither."""
    wanted = word.rpartition("/")[2].removesuffix(".yaml")
    rule = next((rule for rule in rules if rule.id == wanted), None)
    if rule is not None:
        return rule
    from advisor.cli.explain.option import option_name, refuse_unknown

    name = option_name(word)
    if not name:
        raise refuse_unknown(word, rules)
    return name
