"""How are files that others read meanwhile changed? Beside them first; several are changed all or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from advisor.errors import LabError


def write_whole(texts: Mapping[Path, str]) -> None:
    """A reader sees the old or the new text, never half of it; LabError, and every file as it was, on a full disk."""
    new = {path: path.with_name(f"{path.name}.new") for path in texts}
    try:
        for path, text in texts.items():
            new[path].write_text(text, encoding="utf-8")
        for path in texts:
            new[path].replace(path)
    except OSError as error:
        for beside in new.values():
            beside.unlink(missing_ok=True)
        raise LabError(f"{path}: cannot be written: {error.strerror}") from None
