"""The verdicts on twenty moves: those that real servers gave, in both directions and across the families."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.move.moved import move_text, only_member
from tests.move.pairs import PAIRS, Pair


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.origin}-to-{pair.target}")
def test_the_verdict_is_that_of_the_real_server(tmp_path: Path, pair: Pair) -> None:
    member = only_member(move_text(tmp_path, pair.text, pair.origin, pair.target))
    assert (member.starts, member.starts_rewritten) == (pair.starts, pair.starts_rewritten)


def test_there_are_twenty_and_nearly_all_were_run() -> None:
    assert len(PAIRS) >= 20
    assert sum(bool(pair.seen) for pair in PAIRS) >= 18
    assert len({(pair.origin, pair.target) for pair in PAIRS}) >= 20
