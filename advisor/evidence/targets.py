"""Which files and folders are there to judge? Paths as given → one path per server or cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from advisor.errors import InputError
from advisor.evidence.source.files import missing, split_part, unreadable


def expand(paths: Iterable[str], root: str = "/", refused: Callable[[InputError], None] | None = None) -> list[str]:
    """Files, bundles and collections as they are; a plain folder as what is in and below it, folder by folder.

    A folder with dumps, and at most one option file beside them, is one server and stays one target; elsewhere each
    option file is a target, save those that another one includes (absolute paths below `root`), and so is each file
    that deploys servers. Hidden folders and links to folders are passed over. Raises InputError for what does not
    exist, for folders that cannot be read, and where dumps lie beside several option files; of the latter, `refused`
    is told instead where it is given, and the option files are targets.
    """
    targets: list[str] = []
    for path in paths:
        if not os.path.exists(split_part(path)[0]):
            raise missing(path)
        targets.extend((_in_folder(path, root, refused) or [path]) if os.path.isdir(path) else [path])
    return list(dict.fromkeys(targets))


def _in_folder(top: str, root: str, refused: Callable[[InputError], None] | None) -> list[str]:
    from advisor.evidence.folder_contents import is_whole, survey

    plain: list[str] = []
    found: list[str] = []
    for folder, below in _walk(top):
        if is_whole(folder):
            found.append(folder)
            below.clear()
        else:
            plain.append(folder)
    for held in survey(plain, root):
        if len(held.option_files) > 1 and held.dumps:
            error = InputError(
                f"dumps ({os.path.basename(held.dumps[0])}) next to several option files: which server are they from?",
                file=held.folder,
                hint="use a folder for each server, or add --together if all files are from one server",
            )
            if refused is None:
                raise error
            refused(error)
        found.extend([held.folder] if held.one_server else held.option_files)
        found.extend(held.places)
    return sorted(found)


def _walk(top: str) -> Iterator[tuple[str, list[str]]]:
    """Folders from the top down, each with the list of those below it, which may be emptied."""

    def refuse(error: OSError) -> None:
        raise unreadable(error, str(error.filename)) from None

    for folder, below, _ in os.walk(top, onerror=refuse):
        below[:] = sorted(name for name in below if not name.startswith("."))
        yield (folder.rstrip("/") or folder), below
