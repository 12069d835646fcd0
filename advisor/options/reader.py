"""What do one option file and the files it includes hold, in the order the servers read them?"""

from __future__ import annotations

import os
import stat

from advisor.errors import InputError
from advisor.model.options import Argument, Reading, ReadProblem, Suppression
from advisor.options.lines import Line, LineKind, decoded, printable, reads_alike, scan
from advisor.options.suppressions import suppressions

MAX_DEPTH = 10
MAX_FILES = 5_000  # two files that each include their own folder twice would be read a million times
MAX_BYTES = 16 * 1024 * 1024
_BYTE_ORDER_MARK = "\xef\xbb\xbf"


class Reader:
    """Collects what is read. `whole` as in `lines.scan`; `texts` keeps file contents for a second reading.

    `go_on`: options before the first group stop the start, but the groups below them are read. `alike`
    stays true while nothing was met that MySQL 9.7 and older servers read differently.
    """

    def __init__(
        self, root: str, same_host: bool, whole: bool, texts: dict[str, str] | None = None, go_on: bool = False
    ) -> None:
        self.root, self.same_host, self.whole, self.go_on = root, same_host, whole, go_on
        self.texts = {} if texts is None else texts
        self.arguments: list[Argument] = []
        self.problems: list[ReadProblem] = []
        self.files: list[str] = []
        self.suppressions: list[Suppression] = []
        self.groups: dict[str, None] = {}
        self.alike = True
        self.full = False

    def reading(self, cut: Reading | None = None) -> Reading:
        """What was read so far."""
        return Reading(
            arguments=tuple(self.arguments),
            problems=tuple(self.problems),
            files=tuple(self.files),
            suppressions=tuple(self.suppressions),
            groups=tuple(self.groups),
            cut=cut,
        )

    def file(self, path: str, depth: int) -> bool:
        """Read the file; False when the server gives up because of it. Raises InputError."""
        if world_writable(path):
            self.problem(path, 0, "the file is world-writable, so the server ignores it", hint="chmod o-w")
            self.files.append(path)
            return True
        if path not in self.texts:
            self.texts[path] = content(path)
        return self.text(self.texts[path], path, depth)

    def text(self, text: str, path: str, depth: int) -> bool:
        """Read a file's latin-1 text; False when the server stops reading it half-way."""
        self.files.append(path)
        self.suppressions.extend(suppressions(text, path))
        self.alike = self.alike and reads_alike(text)
        group, passed_over = None, False
        for line in scan(text, whole=self.whole):
            if line.kind is LineKind.OPTION and group is not None:
                self.argument(line, group, path)
            elif line.kind is LineKind.GROUP:
                group = decoded(line.name)
                self.groups[group] = None
            elif line.kind in (LineKind.INCLUDE, LineKind.INCLUDE_DIR) and len(self.files) >= MAX_FILES:
                self.too_many(line, path)
            elif line.kind is LineKind.INCLUDE and depth < MAX_DEPTH:
                self.include(line, path, depth)
            elif line.kind is LineKind.INCLUDE_DIR and depth < MAX_DEPTH:
                if not self.include_dir(line, path, depth):
                    return False
            elif line.kind in (LineKind.INCLUDE, LineKind.INCLUDE_DIR):
                self.problem(path, line.number, f"include skipped: more than {MAX_DEPTH} levels deep")
            elif self.go_on and depth == 0 and line.kind is LineKind.OPTION:
                if not passed_over:
                    self.stop(line, path, depth)
                passed_over = True
            else:
                self.stop(line, path, depth)
                return False
        return True

    def argument(self, line: Line, group: str, path: str) -> None:
        """Keep one option as the server's argument list gets it."""
        name = decoded(line.name)
        value = None if line.value is None else decoded(line.value)
        text = f"--{name}" if value is None else f"--{name}={value}"
        of_a_template = value is not None and ("{{" in value or "<%" in value)  # of Jinja, of ERB
        self.arguments.append(Argument(text, name, value, group, path, line.number, line.cut_comment, of_a_template))

    def include(self, line: Line, path: str, depth: int) -> None:
        """Read an included file; whatever is wrong with it, the including file goes on."""
        wanted = self.place(line.name)
        if os.path.isfile(wanted):
            self.file(wanted, depth + 1)
        elif os.path.isdir(wanted) or line.name.endswith(("/", ".d")):
            # Opened and found empty by every release: reading a folder as a file gives no line.
            message = f"include skipped: {printable(line.name)} is a folder, of which !include reads nothing"
            self.problem(path, line.number, message, hint="for a folder write !includedir")
        else:
            quiet = "MySQL 8.0 and later warn, MariaDB and MySQL 5.7 do not"
            missing = f"included file {printable(wanted)} does not exist; the server continues ({quiet})"
            self.problem(path, line.number, missing, elsewhere=not self.same_host)

    def include_dir(self, line: Line, path: str, depth: int) -> bool:
        """Read the folder's *.cnf files in byte order; False when the server gives up."""
        wanted = self.place(line.name)
        try:
            names = sorted(os.listdir(os.fsencode(wanted)))
        except OSError:
            message = f"included folder {printable(wanted)} does not exist"
            if self.same_host:
                self.problem(path, line.number, f"{message}: the server does not start", fatal=depth == 0)
                return False
            hint = "its contents are not judged; it must exist on the server's machine, or the server does not start"
            self.problem(path, line.number, f"{message} here", hint=hint, elsewhere=True)
            return True
        for name in names:
            file = os.path.join(wanted, os.fsdecode(name))
            if len(self.files) >= MAX_FILES:
                self.too_many(line, path)
                break
            if name.endswith(b".cnf") and os.path.isfile(file):
                self.file(file, depth + 1)
        return True

    def too_many(self, line: Line, path: str) -> None:
        """Say once that further includes are left out: the server reads them, and takes long."""
        if not self.full:
            self.full = True
            message = f"more than {MAX_FILES} files are included; the settings in further files are not judged"
            self.problem(path, line.number, message, hint="do files or folders include each other?", elsewhere=True)

    def place(self, path: str) -> str:
        """Where an included path is: absolute ones below `root`, relative ones in the current folder."""
        path = os.path.expanduser(decoded(path))
        absolute = path.startswith("/") and self.root not in ("", "/")
        return self.root.rstrip("/") + path if absolute else path

    def stop(self, line: Line, path: str, depth: int) -> None:
        """Say why the server stops reading this file. Only a file read first-hand stops the start."""
        hint = ""
        if line.kind is LineKind.BAD_GROUP:
            message = f"group without ']': [{printable(decoded(line.name))}"
        elif line.kind is LineKind.BAD_INCLUDE:
            message = "include without a path"
        else:
            message, hint = "option before the first group", "put [mysqld] above it"
            if line.name.startswith(_BYTE_ORDER_MARK):
                message = "the file begins with a byte order mark, so its first line is neither a group nor a comment"
                hint = "save it as UTF-8 without a byte order mark"
        if depth:
            message += "; the server does not read the rest of this included file"
        self.problem(path, line.number, message, fatal=depth == 0, hint=hint)

    def problem(
        self, file: str, line: int, message: str, *, fatal: bool = False, hint: str = "", elsewhere: bool = False
    ) -> None:
        """Keep one problem."""
        self.problems.append(ReadProblem(file, line, message, fatal, hint, elsewhere))


def world_writable(path: str) -> bool:
    """Whether it is a regular file anyone may write to; such files the servers ignore."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) and bool(mode & stat.S_IWOTH)


def content(path: str) -> str:
    """The file as latin-1 text. Raises InputError when it is missing, a folder, too large or no text."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except IsADirectoryError:
        raise InputError("is a folder, not an option file", file=path) from None
    except FileNotFoundError:
        raise InputError("no such file", file=path, hint="the server does not start without it") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=path) from None
    if len(data) > MAX_BYTES:
        raise InputError(f"larger than {MAX_BYTES >> 20} MiB: not an option file", file=path)
    zero = data.find(b"\0")
    if zero >= 0:
        utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        hint = "save it as UTF-8" if utf16 else "is this an option file?"
        what = "is UTF-16, which the servers cannot read" if utf16 else "contains a zero byte: not a text file"
        raise InputError(what, file=path, line=data.count(b"\n", 0, zero) + 1, hint=hint)
    return data.decode("latin-1")
