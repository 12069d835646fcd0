"""Which lines of the option files does the recommendation change? As a diff of each member's file."""

from __future__ import annotations

from advisor.model.recommendation import Recommendation


def option_file_diff(found: Recommendation) -> str:
    """The change as lines of each member's option file."""
    blocks: dict[str, list[str]] = {}
    for change in found.changes:
        for member, before, after in zip(change.members, change.before, change.afters, strict=True):
            file = f"{member}: {found.files.get(member, 'option file')}"
            blocks.setdefault(file, ["[mysqld]"]).extend([f"-{change.name} = {before}", f"+{change.name} = {after}"])
    return "\n\n".join(f"{file}\n\n```diff\n" + "\n".join(lines) + "\n```" for file, lines in blocks.items())
