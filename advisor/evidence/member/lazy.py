"""What of a large bundle is typed and cleaned only when somebody looks at it? Counters one by one, rows by table.

A diagnosis looks at the first and the last reading of a hundred counters and tables, and at few of them in between:
of millions of values hardly one in ten. What leaves these is what an eager reader would have kept; the printed
values do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

from advisor.model.evidence import Row, Scalar


class LateValues(Mapping[str, Scalar]):
    """Counters of one moment, as printed, and what makes a value of each when it is asked for."""

    __slots__ = ("_make", "_printed")

    def __init__(self, printed: Mapping[str, Any], make: Callable[[Any], Scalar]) -> None:
        self._printed, self._make = printed, make

    def __getitem__(self, name: str) -> Scalar:
        return self._make(self._printed[name])

    def get(self, name: str, otherwise: Any = None) -> Any:
        """As of any mapping, without an exception for each of many counters that a server does not have."""
        printed = self._printed
        return self._make(printed[name]) if name in printed else otherwise

    def __contains__(self, name: object) -> bool:
        return name in self._printed

    def __iter__(self) -> Iterator[str]:
        return iter(self._printed)

    def __len__(self) -> int:
        return len(self._printed)

    def __repr__(self) -> str:
        return repr(dict(self))


class LateRows(Sequence[Row]):
    """The rows of one table, made when the first of them is asked for."""

    __slots__ = ("_make", "_printed", "_rows")

    def __init__(self, printed: Sequence[Mapping[str, Any]], make: Callable[[Mapping[str, Any]], Row]) -> None:
        self._printed: Sequence[Mapping[str, Any]] = printed
        self._make = make
        self._rows: tuple[Row, ...] | None = None

    def _all(self) -> tuple[Row, ...]:
        if self._rows is None:
            self._rows, self._printed = tuple(map(self._make, self._printed)), ()
        return self._rows

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        return self._all()[place]

    def __iter__(self) -> Iterator[Row]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._printed) if self._rows is None else len(self._rows)

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, LateRows) else other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())
