"""What does the user's advisor.toml, or [tool.advisor] in pyproject.toml, say?

```toml
server = "mysql-8.0.36"         # as --server
fail_on = "critical"            # as --fail-on
strict = true                   # as --strict
rules = ["our-rules"]           # folders, as seen from this file

[[ignore]]
rule = "redo-too-small"
path = "legacy/*.cnf"           # optional; as seen from this file
reason = "replaced in spring"
until = 2027-03-31              # optional; from the next day on the finding counts again
```
"""

from __future__ import annotations

import os

from advisor.annotations import Any, Final
from advisor.errors import UsageError
from advisor.model.options import Suppression
from advisor.model.record import record

_KEYS: Final = {"server": str, "fail_on": str, "strict": bool, "rules": list, "ignore": list}
_TYPE_NAMES: Final = {str: "string", bool: "boolean", list: "list"}
_IGNORE_KEYS: Final = ("rule", "path", "reason", "until")


@record
class Configuration:
    """What the file says; `file` is "" when there is none. Paths are absolute."""

    file: str = ""
    server: str = ""
    fail_on: str = ""
    strict: bool = False
    rules: tuple[str, ...] = ()
    ignored: tuple[Suppression, ...] = ()


def find_configuration(folder: str) -> Configuration:
    """The nearest one from a folder upwards; UsageError when it is wrong."""
    while True:
        for name in ("advisor.toml", "pyproject.toml"):
            path = os.path.join(folder, name)
            if os.path.isfile(path):
                table = _read(path, name == "pyproject.toml")
                if table is not None:
                    return _configuration(table, path)
        parent = os.path.dirname(folder)
        if parent == folder:
            return Configuration()
        folder = parent


def here() -> Configuration:
    """The configuration for the current folder."""
    return find_configuration(os.getcwd())


def _read(path: str, shared: bool) -> dict[str, Any] | None:
    try:
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        if shared:  # somebody else's file: not ours to complain about
            return None
        raise UsageError(f"cannot be read: {error}", file=path) from None
    if shared and "tool.advisor" not in text:
        return None
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"not TOML: {error}", file=path) from None
    table = data.get("tool", {}).get("advisor") if shared else data
    return table if isinstance(table, dict) else None


def _configuration(table: dict[str, Any], path: str) -> Configuration:
    for key, value in table.items():
        if key not in _KEYS:
            raise UsageError(f"unknown setting {key!r}", file=path, hint=f"known: {', '.join(_KEYS)}")
        if not isinstance(value, _KEYS[key]):
            raise UsageError(f"{key}: must be a {_TYPE_NAMES[_KEYS[key]]}", file=path)
    if table.get("fail_on", "never") not in ("info", "warning", "critical", "never"):
        raise UsageError(
            f"fail_on: unknown severity {table['fail_on']!r}", file=path, hint="use info, warning, critical or never"
        )
    folder = os.path.dirname(path)
    return Configuration(
        file=path,
        server=table.get("server", ""),
        fail_on=table.get("fail_on", ""),
        strict=table.get("strict", False),
        rules=tuple(os.path.join(folder, str(rules)) for rules in table.get("rules", [])),
        ignored=tuple(_ignored(item, path, folder) for item in table.get("ignore", [])),
    )


def _ignored(item: object, path: str, folder: str) -> Suppression:
    if not isinstance(item, dict) or not item.get("rule"):
        raise UsageError("an entry of [[ignore]] must name a rule", file=path, hint='e.g. rule = "redo-too-small"')
    for key in item:
        if key not in _IGNORE_KEYS:
            raise UsageError(f"[[ignore]] has no key {key!r}", file=path, hint=f"known: {', '.join(_IGNORE_KEYS)}")
    pattern = os.path.join(folder, item["path"]) if item.get("path") else ""
    reason, until = str(item.get("reason", "")), str(item.get("until", ""))
    return Suppression(str(item["rule"]), pattern, 0, reason, until)
