"""What a server release knows about one variable or option."""

from __future__ import annotations

from enum import StrEnum

from advisor.annotations import Final
from advisor.model.record import record

Value = bool | int | float | str | None


class VariableType(StrEnum):
    """How the server parses and holds the value."""

    BOOL = "bool"
    INT = "int"
    UINT = "uint"
    DOUBLE = "double"
    ENUM = "enum"
    SET = "set"
    FLAGSET = "flagset"  # name=on|off list; lines add up
    STR = "str"
    PLUGIN = "plugin"  # switch of a plugin


class _NoDefault:
    """The default of this release is not known (computed from the machine, a path of the build, undated change)."""

    def __repr__(self) -> str:
        return "NO_DEFAULT"


NO_DEFAULT: Final = _NoDefault()


@record
class Variable:
    """One variable or option in one release. Sizes in bytes and times in the server's own unit, as the server has them.

    `default` is NO_DEFAULT when unknown or dependent on the machine (`auto`). `option` is how the name may stand
    in an option file: "req" (needs a value), "opt", "none" (switch), "" (not allowed there). `option_type`
    differs from `type` where the option takes another kind (`log_bin`: a file name). `owner` is "" for the bare
    server, else what must be present: "plugin:x", "component:x", "wsrep", ….
    """

    name: str
    type: VariableType
    default: Value | _NoDefault
    auto: bool = False
    minimum: int | float | None = None
    maximum: int | float | None = None
    step: int | None = None
    words: tuple[str, ...] = ()
    scope: str = "global"
    dynamic: bool = False
    option: str = "req"
    option_type: VariableType | None = None
    option_only: bool = False
    owner: str = ""
    deprecated: str = ""  # "" = no, "yes", or the replacement's name

    def __hash__(self) -> int:  # a key of several caches
        return hash(self.name)
