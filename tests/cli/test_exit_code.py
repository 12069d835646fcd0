"""The exit codes that errors carry are those that the commands name."""

from __future__ import annotations

from advisor import errors
from advisor.cli.shared.exit_code import ExitCode


def test_every_error_ends_with_the_code_of_its_kind() -> None:
    assert errors.UsageError("").exit_code == errors.InputError("").exit_code == ExitCode.USAGE
    assert errors.RuleError("").exit_code == ExitCode.RULE_BROKEN
    assert errors.ServerError("").exit_code == errors.MachineError("").exit_code == ExitCode.SERVER_FAILED
