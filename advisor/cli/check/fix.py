"""How do findings become changed files? Shows the edits that are allowed, and writes them when asked."""

from __future__ import annotations

import os
import sys

from advisor.check.fix_plan import FixPlan, parse_risks, plan_fix
from advisor.cli.check.run import CheckResult
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.terminal import Colour, complain, page_for, write
from advisor.errors import AdvisorError, InputError
from advisor.model.rules import JudgedPaths
from advisor.report.words.layout import Page


def offer(result: CheckResult, allow: str, root: str, colour: Colour, width: int, *, fix: bool) -> int:
    """Show diff and statements of every target; with `fix`, write the files too. Failures are reported on stderr.

    Gives the exit code of the worst failure, 0 without any.
    """
    allowed = parse_risks(allow)
    page = page_for(sys.stdout, colour, width)
    code: int = ExitCode.OK
    for target in result.targets:
        try:
            planned = plan_fix(target, result.releases, result.judge_as, allowed, root)
            _show(target, planned, page)
            if fix:
                _write(planned)
        except AdvisorError as error:
            complain(str(error))
            code = max(code, error.exit_code)
    return code


def _show(target: JudgedPaths, planned: FixPlan, page: Page) -> None:
    from advisor.report.check import diff

    about = f"{target.cluster.path}: " if len(target.cluster.path) < page.width else ""
    if not planned.edits:
        write(f"\n{about}no changes to the files\n")
    else:
        write("\n" + diff.render(planned.edits, planned.by_release, page))
    for reason in planned.left:
        write(f"not changed: {reason}\n")


def _write(planned: FixPlan) -> None:
    from shlex import quote

    from advisor.options.edit.edited_file import identity
    from advisor.options.edit.edits import write_edits
    from advisor.report.words.values import place

    for edit in planned.edits:
        # A new file takes the place of the old one, which a write protection would not prevent.
        if not os.stat(edit.path).st_mode & 0o222 or not os.access(edit.path, os.W_OK):
            hint = f"chmod u+w {place(edit.path)}, or make the change above by hand"
            raise InputError("is read-only; nothing was changed", file=edit.path, hint=hint)
    backups = write_edits(planned.edits) if planned.edits else ()
    for edit, backup in zip(planned.edits, backups, strict=True):
        # A link stays what it is: the backup lies next to the file that it names.
        way_back = f"mv {quote(place(backup))} {quote(place(identity(edit.path)))}"
        write(f"changed {place(edit.path)}; undo with: {way_back}\n")
