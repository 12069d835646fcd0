"""Which errors end a command? A problem in the user's server is a finding, never one of these.

AdvisorError
├── UsageError      the command line asks for something impossible           exit 2
├── InputError      a file, dump or bundle cannot be read                    exit 2
├── RuleError       a rule file is wrong, or a rule broke while judging      exit 3
├── ServerError     a server cannot be reached, or refuses a request         exit 4
└── MachineError    this machine cannot do what is needed                    exit 4
    ├── LabError    a lab cannot be started, or is not what it should be
    └── WriteError  a file cannot be written: disk full, no permission
"""


class AdvisorError(Exception):
    """One message, the place it is about, and a hint on what to do."""

    exit_code = 2  # the numbers are those of ExitCode in advisor/cli/shared/exit_code.py

    def __init__(self, message: str, *, file: str = "", line: int = 0, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.file, self.line, self.hint = message, file, line, hint

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file and self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.message}" + (f"\n  hint: {self.hint}" if self.hint else "")


class UsageError(AdvisorError):
    """The command line asks for something impossible."""


class InputError(AdvisorError):
    """A file, dump or bundle cannot be read."""


class RuleError(AdvisorError):
    """A rule file is wrong, or a rule broke while judging."""

    exit_code = 3


class ServerError(AdvisorError):
    """A server cannot be reached, or refuses a request. `number` is the server's own error number, 0 for none."""

    exit_code = 4

    def __init__(self, message: str, *, number: int = 0, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.number = number


class MachineError(AdvisorError):
    """This machine cannot do what is needed: a program fails, a disk is full."""

    exit_code = 4


class LabError(MachineError):
    """A lab cannot be started, or is not what it should be."""


class WriteError(MachineError):
    """A file cannot be written: the disk is full, or permission is missing."""
