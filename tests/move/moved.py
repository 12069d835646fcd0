"""Moves to test: an option file written to a folder, moved from one release to another."""

from __future__ import annotations

from pathlib import Path

from advisor.catalog import parse_release
from advisor.evidence import read_path
from advisor.model.move import MemberMove, Move, OptionMove
from advisor.move import plan_move, target_release


def move_text(folder: Path, text: str, origin: str, target: str, group: str = "[mysqld]\n") -> Move:
    """The move of a server with this option file."""
    file = folder / "my.cnf"
    file.write_text(group + text, encoding="utf-8")
    return plan_move(read_path(str(file)), parse_release(origin), target_release(target))


def only_member(move: Move) -> MemberMove:
    """The one server of a move."""
    (member,) = move.members
    return member


def rewritten(move: Move) -> list[str]:
    """The lines that set something in the rewritten option file, or in the old one if nothing changes."""
    member = only_member(move)
    text = member.rewritten[0][2].decode() if member.rewritten else Path(member.files[0]).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and line[0] not in "#["]


def option(move: Move, text: str) -> OptionMove:
    """What becomes of the option whose line begins so."""
    return next(option for option in only_member(move).options if option.text.startswith(text))
