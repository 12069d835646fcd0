"""What must never be kept of evidence: passwords and the like, in values, addresses and statements."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.masking import MASK, is_secret, mask_name
from advisor.model.evidence import Scalar
from advisor.model.options import Argument, Reading
from advisor.model.record import replace

_ADDRESS = r"(?<![\w@])([\w.%+-]+):([^\s:@/,'\"]+)@(?=[\w\[(*%])"
_ASSIGNED = r"((?<![\w.-])(?:password|passwd|pass|pwd|secret|token)\s*=\s*)([^\s;,&'\"]+)"
_USER_OPTION = r"(\bcurl\b.*?\s(?:-u|--user)[\s=]*['\"]?[^\s:'\"]+:)([^\s'\"]+)"  # curl -u USER:PASSWORD
_SUSPICIOUS = ("pass", "pwd", "secret", "token", "identified")
_STATEMENT = (
    r"(\b(?:identified\s+(?:with\s+\S+\s+)?(?:by|as)(?:\s+password)?"
    r"|(?:master|source)_password\s*=|set\s+password(?:\s+for\s+\S+)?\s*(?:=|to)(?:\s*(?:old_)?password\s*\()?"
    r"|password\s*(?:=|\())\s*)('(?:[^'\\]|\\.)*'?|\"(?:[^\"\\]|\\.)*\"?)"
)


def redact_text(text: str) -> str:
    """Text with `user:password@host` and the passwords of SQL statements replaced masked."""
    plain = text.lower()
    has_address, suspicious = "@" in text and ":" in text, any(word in plain for word in _SUSPICIOUS)
    if not has_address and not suspicious and "curl" not in plain:
        return text
    import re

    if has_address:
        text = re.sub(_ADDRESS, rf"\1:{MASK}@", text)
    if "curl" in plain:
        text = re.sub(_USER_OPTION, rf"\1{MASK}", text)
    if suspicious:
        text = re.sub(_ASSIGNED, rf"\1{MASK}", text, flags=re.IGNORECASE)
        text = re.sub(_STATEMENT, rf"\1'{MASK}'", text, flags=re.IGNORECASE)
    return text


def redact(name: str, value: Scalar) -> Scalar:
    """The value as it may be kept: masked for a secret (an empty one stays empty), cleaned text otherwise."""
    if is_secret(name):
        return value if value is None or value == "" else MASK
    return redact_text(value) if isinstance(value, str) and value else value


def redact_reading(reading: Reading) -> Reading:
    """The same option files without their passwords; everything else stays exactly as written."""
    arguments = tuple(_redact_argument(argument) for argument in reading.arguments)
    return replace(reading, arguments=arguments, cut=redact_reading(reading.cut) if reading.cut else None)


def _redact_argument(argument: Argument) -> Argument:
    name = mask_name(argument.name)
    if name != argument.name:
        argument = replace(argument, name=name, text=argument.text.replace(argument.name, name, 1))
    if not argument.value:
        return argument
    value = redact(argument.name, argument.value)
    if value == argument.value or not isinstance(value, str):
        return argument
    head = argument.text.partition("=")[0]
    return replace(argument, value=value, text=f"{head}={value}")


def without_secrets(pairs: Mapping[str, str]) -> dict[str, str]:
    """Variables or counters with passwords and the like masked; numbers are skipped, which is fast."""
    return {name: value if value.isdigit() else str(redact(name, value)) for name, value in pairs.items()}
