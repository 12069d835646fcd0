"""What does an edited file look like, with lines replaced, added or removed and every other byte as it was?"""

from __future__ import annotations

import os

from advisor.errors import InputError
from advisor.model.record import record


@record
class FileEdit:
    """One option file before and after, as bytes; `path` as it was named when it was read."""

    path: str
    before: bytes
    after: bytes


@record
class Draft:
    """A file being edited, as latin-1 text (one character per byte, as in advisor.options.lines).

    `lines` are the lines as read, with their ends; `now[i]` is what line i is by now, None when removed;
    `added[i]` are the lines added before line i, `added[-1]` those at the end. So the line numbers of the
    reading stay valid, whatever is added or removed.
    """

    path: str
    before: bytes
    lines: tuple[str, ...]
    now: list[str | None]
    added: list[list[str]]

    @property
    def line_end(self) -> str:
        """What most lines of the file end in."""
        ended = [line for line in self.lines if line.endswith("\n")]
        return "\r\n" if sum(line.endswith("\r\n") for line in ended) * 2 > len(ended) else "\n"

    def text(self, index: int) -> str | None:
        """Line `index` as it is by now, without its "\\n"; None when removed."""
        line = self.now[index]
        return None if line is None else line.removesuffix("\n")

    def replace(self, index: int, text: str) -> None:
        """Let `text` (without "\\n") stand for line `index`."""
        self.now[index] = text + ("\n" if self.lines[index].endswith("\n") else "")

    def take_out(self, index: int) -> None:
        """Delete line `index` with its end."""
        self.now[index] = None

    def add_after(self, index: int, text: str) -> None:
        """Add a line below line `index` and below what was added there before; -1 is the top of the file."""
        self.added[index + 1].append(text + self.line_end)

    def edit(self) -> FileEdit:
        """The file before and after. Where the last line had no line end, a new last line gets none."""
        pieces = [text for *_, text in self._pieces()]
        for index, piece in enumerate(pieces[:-1]):
            if not piece.endswith("\n"):
                pieces[index] = piece + self.line_end
        if self.added[-1] and self.lines and not self.lines[-1].endswith("\n"):
            pieces[-1] = pieces[-1].removesuffix(self.line_end)
        return FileEdit(self.path, self.before, "".join(pieces).encode("latin-1"))

    def origins(self) -> tuple[tuple[int, bool], ...]:
        """For every line of the edited file: the index of the line it is (False) or was added below (True)."""
        return tuple((index, added) for index, added, _ in self._pieces())

    def touched(self, index: int) -> bool:
        """Whether line `index` changed or was removed."""
        return self.now[index] != self.lines[index]

    def _pieces(self) -> list[tuple[int, bool, str]]:
        pieces = [(-1, True, line) for line in self.added[0]]
        for index, line in enumerate(self.now):
            pieces += [] if line is None else [(index, False, line)]
            pieces += [(index, True, added) for added in self.added[index + 1]]
        return pieces


def open_draft(path: str) -> Draft:
    """Read a file for editing; InputError when it cannot be read."""
    try:
        with open(path, "rb") as stream:
            before = stream.read()
    except OSError as error:
        raise InputError(
            f"cannot be read: {error.strerror}", file=path, hint="read the files again and repeat the change"
        ) from error
    return draft_of(path, before)


def draft_of(path: str, before: bytes) -> Draft:
    """A draft without any change yet."""
    # Not splitlines(): a form feed or a lone "\r" is no line end for the servers.
    parts = before.decode("latin-1").split("\n")
    lines = tuple([part + "\n" for part in parts[:-1]] + [part for part in parts[-1:] if part])
    return Draft(path, before, lines, list(lines), [[] for _ in range(len(lines) + 1)])


def identity(path: str) -> str:
    """The real file behind a path, so that a file reached by two paths is edited once."""
    return os.path.realpath(path)
