"""Which option values must never be shown?

By the name, misspelt names too: `report_pasword=x` is refused by the server and shown in a report, yet a secret.
"""

from __future__ import annotations

from functools import lru_cache

from advisor.annotations import Final

MASK: Final = "********"

# wsrep_sst_auth is "user:password"; a filekey may be the key itself.
_SECRETS: Final = ("passphrase", "secret", "sst_auth", "sstauth")
_ENDS_OF_SECRETS: Final = (
    "pwd", "_token", "filekey", "encryption_key", "api_key", "apikey", "access_key", "accesskey",
)  # fmt: skip
# Settings about passwords (lengths, policies, plugins): the word is in the name, no secret in the value. Few files
# have one, and compiling takes 0.4 ms.
_POLICY: Final = (
    r"^(validate_password|password_(history|reuse|require)|sha256_password|caching_sha2_password|mysql_native_password"
    r"|default_password_lifetime|old_passwords|disconnect_on_expired_password|generated_random_password"
    r"|simple_password_check|cracklib_password|strict_password|password_reuse_check|max_password_errors)"
)
_PREFIXES: Final = ("loose_", "skip_", "enable_", "disable_", "maximum_")


@lru_cache(maxsize=4096)
def is_secret(name: str) -> bool:
    """Whether the option of that name, in any spelling, holds a secret."""
    plain = name.strip().lstrip("-").replace("-", "_").casefold()  # patterns blind to case take long to compile
    while prefix := next((prefix for prefix in _PREFIXES if plain.startswith(prefix)), ""):
        plain = plain[len(prefix) :]
    last = plain.rpartition(".")[2]
    if not _names_secret(last):
        return False
    import re

    return not re.match(_POLICY, last)


def _names_secret(name: str) -> bool:
    after_pas = name.split("pas")[1:]  # password, passwd, pasword
    return (
        name.endswith(_ENDS_OF_SECRETS)
        or any(word in name for word in _SECRETS)
        or any(rest.lstrip("s").startswith("w") for rest in after_pas)
    )


def mask_name(name: str) -> str:
    """What stands before "=", or alone, with a secret in it masked: `password hunter2` lacks the sign, and is one."""
    if ":" not in name and name.split() == [name]:
        return name
    import re

    parts = re.split(r"([\s:]+)", name, maxsplit=1)
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
