"""The command `advisor`: runs what the command line asks for, and turns errors into a message and an exit code.

`kept_byte_code` makes a plain check start sooner. `app` finds the commands: each is a folder with a `command.py` (its
options), mostly a `request` (what they mean) and a `run` (what is done), and how it is shown. `shared/` has the
options, parsers and terminal that several commands use.
"""

from __future__ import annotations

import errno
import os
import sys

from advisor.annotations import NoReturn
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.garbage_collection import collect_rarely, leave_at_once
from advisor.errors import AdvisorError

# Problems of the machine that the user can mend, whichever file they occur at.
_MACHINE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line; never returns. The one place where AdvisorError becomes a message on stderr."""
    collect_rarely()
    # Closed by the caller (`>&-`): the exit code still reports the outcome.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115 – open until the process ends, as stdout is
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    words = sys.argv[1:] if arguments is None else arguments
    try:
        code = _run_as_process(words) if arguments is None else _run(words)
        sys.exit(code)
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    except AdvisorError as error:
        from advisor.cli.shared.terminal import complain

        complain(str(error))
        sys.exit(error.exit_code)
    except OSError as error:
        if error.errno not in _MACHINE_ERRORS:
            raise
        from advisor.cli.shared.terminal import complain

        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror))
        sys.exit(ExitCode.SERVER_FAILED)


def _run_as_process(words: list[str]) -> int:
    """A run that is the whole life of a process: it starts with kept modules, and need not tidy up."""
    from advisor.cli.kept_byte_code import keep_modules, use_kept_modules

    kept = use_kept_modules()
    code = _run(words)
    keep_modules(kept)
    leave_at_once(code)
    return code


def _run(words: list[str]) -> int:
    from advisor.cli.check import fast_path

    plain = fast_path.plain_check(words)
    if plain is not None:
        return fast_path.run(plain)
    from advisor.cli.app import build_app

    build_app(words)(words, prog_name="advisor")  # ends in SystemExit
    return ExitCode.OK
