"""Which rules are there? Finds rule files by listing folders, and remembers what was parsed.

Parsing two hundred YAML files and conditions costs half a second, so the result is kept in the user's cache folder with
every file's path, size and time. It is kept as Python's `marshal` writes plain data, which is read five times as fast
as JSON; nothing in it is executed. A cache that cannot be read or written is simply not used. `ADVISOR_CACHE=off`
switches it off.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Sequence

from advisor import __version__
from advisor.annotations import TYPE_CHECKING, Any
from advisor.data import folder, read_yaml
from advisor.errors import InputError, RuleError
from advisor.model.record import revived
from advisor.model.rules import Advice, Risk, Rule, Severity, TakesEffect

if TYPE_CHECKING:
    from pathlib import Path

Frozen = dict[str, Any]
_KIND = sys.implementation.cache_tag  # like .pyc files: another Python may write it in another way
_SEVERITIES = {str(severity): severity for severity in Severity}
_RISKS = {str(risk): risk for risk in Risk}
_EFFECTS = {str(effect): effect for effect in TakesEffect}
_MOST_FOLDERS = (1 << 61) - 1  # a prime: the number of a folder depends on every letter of its path
_OTHERS = ("causes", "ceilings", "waits", "quantities", "operators")  # claims of another shape next to the rules
_PARSERS = (
    "conditions.py", "expressions.py", "yaml_shapes.py", "check/schema.py", "check/rule_loader.py", "model/rules.py",
)  # fmt: skip


def load_rules(folders: Sequence[str | Path] = ()) -> tuple[Rule, ...]:
    """The shipped rules and those of the given folders, retired ones too; RuleError for the first one that is wrong."""
    rules: dict[str, Rule] = {}
    for place in (folder("rules"), *map(str, folders)):
        if not os.path.isdir(place):
            raise InputError("this folder of rules does not exist", file=place)
        found = _load_folder(place)
        if not found:
            hint = "each rule must be a file <area>/<id>.yaml inside this folder"
            raise InputError("this folder has no rules", file=place, hint=hint)
        for rule in found:
            if rule.id in rules:
                raise RuleError(f"the rule {rule.id!r} also exists as {rules[rule.id].file}", file=rule.file)
            rules[rule.id] = rule
    return tuple(rules.values())


def rule_files(place: str | Path) -> list[tuple[str, str, os.stat_result]]:
    """(area, path, stat) of every rule file below a folder: <area>/<id>.yaml, in a fixed order."""
    rule_paths = []
    with os.scandir(place) as areas:
        for area in sorted(areas, key=lambda entry: entry.name):
            if area.is_dir() and not area.name.startswith((".", "_")) and area.name not in _OTHERS:
                with os.scandir(area.path) as files:
                    rule_paths += [(area.name, file.path, file.stat()) for file in files if file.name.endswith(".yaml")]
    return sorted(rule_paths, key=lambda item: item[1])


def read_rule(area: str, path: str) -> Rule:
    """One rule file; RuleError with file and line."""
    from advisor.check.schema import build_rule

    try:
        return build_rule(read_yaml(path), area, os.path.basename(path).rpartition(".")[0], path)
    except InputError as error:
        raise RuleError(error.message, file=error.file, line=error.line, hint=error.hint) from None
    except RuleError as error:
        error.line = error.line or _line_of_fault(path, error.message)
        raise


def _line_of_fault(path: str, message: str) -> int:
    """The line where what the message quotes, or else the key it begins with, stands; 1 when nowhere."""
    import re

    quoted, key = re.findall(r"'([^']+)'", message), message.partition(":")[0]
    with open(path, encoding="utf-8") as stream:
        lines = stream.read().partition("\n---")[0].splitlines()
    wanted = [*quoted, f"{key}:"]
    return next((n for word in wanted for n, line in enumerate(lines, 1) if word in line), 1)


def _load_folder(place: str) -> Sequence[Rule]:
    files = rule_files(place)
    cache, signature = _cache_file(place), _signature(files)
    if cache:
        try:
            with open(cache, "rb") as stream:
                kept, frozen = marshal.loads(stream.read())
            if kept == signature:
                return [_thaw(rule) for rule in frozen]
        except (OSError, EOFError, ValueError, KeyError, TypeError):
            pass
    rules = [read_rule(area, path) for area, path, _ in files]
    if cache:
        _keep(cache, (signature, [_freeze(rule) for rule in rules]))
    return rules


def _cache_file(place: str) -> str:
    if os.environ.get("ADVISOR_CACHE", "").lower() in ("off", "0", "no"):
        return ""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    number = int.from_bytes(os.fsencode(os.path.realpath(place))) % _MOST_FOLDERS
    return os.path.join(home, "advisor", f"rules-{number:016x}.{_KIND}")


def _signature(files: list[tuple[str, str, os.stat_result]]) -> str:
    """Every rule file's path, size and time, and the times of the code that parses them."""
    here = os.path.dirname(os.path.dirname(__file__))
    marks = [f"{path} {stat.st_size} {stat.st_mtime_ns}" for _, path, stat in files]
    marks += [f"{name} {os.stat(os.path.join(here, name)).st_mtime_ns}" for name in _PARSERS]
    return "\n".join((__version__, *marks))


def _keep(cache: str, kept: tuple[str, list[Frozen]]) -> None:
    """Written beside and moved into place, so that a reader never sees half a file."""
    part = f"{cache}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(cache), exist_ok=True)
        with open(part, "wb") as stream:
            stream.write(marshal.dumps(kept))
        os.replace(part, cache)
    except OSError:
        return


def _freeze(rule: Rule) -> Frozen:
    """The rule as plain data: its fields by name, text in place of enums."""
    advice = [{**vars(a), "risk": _text(a.risk), "takes_effect": _text(a.takes_effect)} for a in rule.advice]
    return {**vars(rule), "severity": _text(rule.severity), "advice": advice}


def _text(words: Any) -> Any:
    if isinstance(words, tuple):
        return tuple(map(str, words))
    return None if words is None else str(words)


def _thaw(frozen: Frozen) -> Rule:
    frozen["severity"] = _SEVERITIES[frozen["severity"]]
    for advice in frozen["advice"]:
        advice["risk"] = tuple([_RISKS[risk] for risk in advice["risk"]])
        effect = advice["takes_effect"]
        advice["takes_effect"] = None if effect is None else _EFFECTS[effect]
    frozen["advice"] = tuple([revived(Advice, advice) for advice in frozen["advice"]])
    return revived(Rule, frozen)
