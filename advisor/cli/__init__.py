"""The command `advisor`: runs what the command line asks for, and turns errors into a message and an exit code."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from typing import NoReturn

from advisor.cli.shared.exit_code import ExitCode
from advisor.errors import AdvisorError

# What a machine runs out of, or refuses to take: the user's to mend, whichever file it was met at.
_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line; never returns. The one place where AdvisorError becomes a message on stderr."""
    # A run is short and makes few cycles: looking for them after every 700 objects is a tenth of its time.
    gc.set_threshold(100_000)
    # And when it ends nothing is worth looking for: what is frozen is passed over, which saves the last sixth.
    atexit.register(gc.freeze)
    # Closed by whoever called us (`>&-`): the exit code still tells.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 – open until the process ends, as stdout is
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    words = sys.argv[1:] if arguments is None else arguments
    try:
        sys.exit(_run(words))
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    except AdvisorError as error:
        from advisor.cli.shared.terminal import complain

        complain(str(error))
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno not in _MACHINE:
            raise
        from advisor.cli.shared.terminal import complain

        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror))
        sys.exit(ExitCode.SERVER_FAILED)


def _run(words: list[str]) -> int:
    from advisor.cli.check import fast_path

    asked = fast_path.plain_check(words)
    if asked is not None:
        return fast_path.run(asked)
    from advisor.cli.app import build_app

    build_app(words)(words, prog_name="advisor")  # ends in SystemExit
    return ExitCode.OK
