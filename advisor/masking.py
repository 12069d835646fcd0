"""Which option values must never be shown?

By the name, misspelt names too: `report_pasword=x` is refused by the server and shown in a report, yet a secret.
"""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "********"

# `pas+w`, `pwd`: password, passwd, pasword. wsrep_sst_auth is "user:password"; a filekey may be the key itself.
_SECRET: Final = re.compile(
    r"pas+w|passphrase|pwd$|secret|_token$|sst_?auth|filekey$|encryption_key$|api_?key$", re.IGNORECASE
)
# Settings about passwords (lengths, policies, plugins): the word is in the name, no secret in the value. Few files
# have one, and compiling takes 0.4 ms.
_POLICY: Final = (
    r"^(validate_password|password_(history|reuse|require)|sha256_password|caching_sha2_password|mysql_native_password"
    r"|default_password_lifetime|old_passwords|disconnect_on_expired_password|generated_random_password"
    r"|simple_password_check|cracklib_password|strict_password|password_reuse_check|max_password_errors)"
)
_PREFIX: Final = re.compile(r"^(loose|skip|enable|disable|maximum)_", re.IGNORECASE)


def is_secret(name: str) -> bool:
    """Whether the option of that name, in any spelling, holds a secret."""
    plain = name.strip().lstrip("-").replace("-", "_")
    while (shorter := _PREFIX.sub("", plain)) != plain:
        plain = shorter
    last = plain.rpartition(".")[2]
    return bool(_SECRET.search(last)) and not re.match(_POLICY, last, re.IGNORECASE)


def mask_line(line: str) -> str:
    """A line of an option file (or of a diff of one) with a secret's value masked, blanks kept."""
    name, equals, value = line.partition("=")
    if not equals or not value.strip() or not is_secret(name.lstrip("+-# \t;")):
        return line
    blanks = value[: len(value) - len(value.lstrip())]
    return f"{name}={blanks}{MASK}" + ("\n" if line.endswith("\n") else "")
