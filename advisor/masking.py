"""Which option values must never be shown?

By the name, misspelt names too: `report_pasword=x` is refused by the server and shown in a report, yet a secret.
"""

from __future__ import annotations

import re
from functools import lru_cache

from advisor.annotations import Final

MASK: Final = "********"

# `pas+w`, `pwd`: password, passwd, pasword. wsrep_sst_auth is "user:password"; a filekey may be the key itself.
_SECRET: Final = re.compile(
    r"pas+w|passphrase|pwd$|secret|_token$|sst_?auth|filekey$|encryption_key$|api_?key$|access_?key$"
)
# Settings about passwords (lengths, policies, plugins): the word is in the name, no secret in the value. Few files
# have one, and compiling takes 0.4 ms.
_POLICY: Final = (
    r"^(validate_password|password_(history|reuse|require)|sha256_password|caching_sha2_password|mysql_native_password"
    r"|default_password_lifetime|old_passwords|disconnect_on_expired_password|generated_random_password"
    r"|simple_password_check|cracklib_password|strict_password|password_reuse_check|max_password_errors)"
)
_AFTER_NAME: Final = re.compile(r"([\s:]+)")
_PREFIXES: Final = ("loose_", "skip_", "enable_", "disable_", "maximum_")


@lru_cache(maxsize=4096)
def is_secret(name: str) -> bool:
    """Whether the option of that name, in any spelling, holds a secret."""
    plain = name.strip().lstrip("-").replace("-", "_").casefold()  # patterns blind to case take long to compile
    while prefix := next((prefix for prefix in _PREFIXES if plain.startswith(prefix)), ""):
        plain = plain[len(prefix) :]
    last = plain.rpartition(".")[2]
    return bool(_SECRET.search(last)) and not re.match(_POLICY, last)


def mask_name(name: str) -> str:
    """What stands before "=", or alone, with a secret in it masked: `password hunter2` lacks the sign, and is one."""
    parts = _AFTER_NAME.split(name, maxsplit=1)
    return f"{parts[0]}{parts[1]}{MASK}" if len(parts) == 3 and parts[2] and is_secret(parts[0]) else name


def mask_line(line: str) -> str:
    """A line of an option file (or of a diff of one) with a secret's value masked, blanks kept."""
    text = line.rstrip("\r\n")
    name, _, value = text.partition("=")
    start = len(name) - len(name.lstrip("+-# \t;"))
    end = line[len(text) :]
    masked = mask_name(name[start:].rstrip())
    if masked != name[start:].rstrip():
        return f"{name[:start]}{masked}{end}"
    if not value.strip() or not is_secret(name[start:]):
        return line
    blanks = value[: len(value) - len(value.lstrip())]
    return f"{name}={blanks}{MASK}{end}"
