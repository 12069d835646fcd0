"""What do annotations need on the path of `advisor check`? Names of `typing` that cost nothing when a program runs.

Importing `typing` takes 3 ms, a twentieth of a plain check, and annotations are never evaluated. So the modules that a
plain check imports take these names from here; `tests/test_start_up.py` finds the one that does not.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take this name for true
if TYPE_CHECKING:
    from typing import Any, Final, NoReturn, Protocol, TextIO
else:
    Any = Final = NoReturn = Protocol = TextIO = object

__all__ = ["TYPE_CHECKING", "Any", "Final", "NoReturn", "Protocol", "TextIO"]
