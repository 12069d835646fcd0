"""Where does `-o FILE` put the report? Into a file that is replaced as a whole, or into a device or pipe as it is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from advisor.atomic_write import write_file
from advisor.errors import UsageError, WriteError

_HINT = "name a file in a folder that exists and is writable"


def refuse_input_as_output(output: Path, files: Iterable[str]) -> None:
    """UsageError when the report would replace one of the files it is about."""
    if not output.exists():
        return
    for file in files:
        if os.path.exists(file) and os.path.samefile(output, file):
            raise UsageError(
                "-o would overwrite a file that is being checked",
                file=str(output),
                hint="name another file for the report",
            )


def write_report_file(output: Path, text: str) -> None:
    """Write the report; UsageError when that fails, and then the file is as it was."""
    try:
        mode = output.stat().st_mode if output.exists() else stat.S_IFREG
        if stat.S_ISDIR(mode):
            raise UsageError("-o names a folder", file=str(output), hint=_HINT)
        data = text.encode("utf-8", "replace")
        if stat.S_ISREG(mode):
            write_file(Path(os.path.realpath(output)), data)
        else:
            output.write_bytes(data)
    except WriteError as error:
        raise UsageError(error.message, file=str(output), hint=_HINT) from None
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", file=str(output), hint=_HINT) from None
