"""`advisor options`: which options does the server get from these files, and which of them win?"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Final

import typer

from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.options import ColourOption, Root, Server, Width
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.errors import UsageError
from advisor.model.options import Reading
from advisor.model.server import Release

_EXAMPLES = """Examples:

\b
  advisor options /etc/mysql/my.cnf --server mariadb-10.11
  advisor options my.cnf --server mysql-8.4.3 --format json"""


_LOOKED_AT_SIGNS: Final = 1 << 16
_FILES = "Option files; their includes are read too. Default: those a server reads by itself."


def options(
    files: Annotated[list[str] | None, typer.Argument(metavar="[FILE...]", help=_FILES, show_default=False)] = None,
    server: Server = "",
    form: Annotated[ListFormat, typer.Option("--format", help="Output format.")] = ListFormat.TEXT,
    root: Root = "",
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Show every option that the server gets, and which line wins if an option is set twice."""
    from advisor.catalog import parse_release
    from advisor.cli.shared.config_file import here
    from advisor.options import infer
    from advisor.report.check import option_list

    stated = server or here().server
    named = [(file, *_reading(file, root or "/")) for file in files or ()]
    readings = named or [(file, read, ()) for file, read in _by_itself(root or "/")]
    wanted = parse_release(stated) if stated else ()
    targets = [(file, read, wanted or own or infer(read)[0]) for file, read, own in readings]
    lists = [option_list.option_list(*target) for target in targets]
    page = page_for(sys.stdout, color, width)
    write(option_list.as_json(lists) if form is ListFormat.JSON else option_list.as_text(lists, page))


def _reading(file: str, root: str) -> tuple[Reading, tuple[Release, ...]]:
    """The file's options, and the releases that it names: a Compose file does, by the image."""
    from advisor.check.possible_releases import possible_releases
    from advisor.evidence import read_path
    from advisor.evidence.formats.detect_format import kind_of, place_of
    from advisor.evidence.member.redaction import redact_reading
    from advisor.evidence.source.files import split_part
    from advisor.options import read_file

    path, part = split_part(file)
    if part or (os.path.isfile(path) and place_of(beginning := _beginning(path), kind_of(beginning))):
        (server,) = read_path(file, root=root).members
        if server.options is None:
            raise UsageError("holds no options", file=file, hint="`advisor check` judges the values in it")
        return server.options, possible_releases(server, ()).releases
    return redact_reading(read_file(file, root=root)), ()


def _beginning(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as stream:
        return stream.read(_LOOKED_AT_SIGNS)


def _by_itself(root: str) -> list[tuple[str, Reading]]:
    """The files a server started without --defaults-file reads, as one list."""
    from advisor.evidence import read_where_servers_look

    (server,) = read_where_servers_look(root=root).members
    return [(root, server.options)] if server.options is not None else []


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("options", epilog=_EXAMPLES)(options)
