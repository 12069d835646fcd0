"""Which pseudonym replaces a private name? The same everywhere in one bundle, another one in the next."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Final

# Names that every server has are not private.
_PUBLIC: Final = frozenset(
    "localhost localhost.localdomain 127.0.0.1 ::1 0.0.0.0 :: * % root mysql sys test information_schema"
    " performance_schema system user event_scheduler daemon mysql.sys mysql.session mysql.infoschema mariadb.sys"
    " unauthenticated background automatic any all none null on off default connecting".split()
) | {"system user", "unauthenticated user", ""}
_ADDRESS: Final = re.compile(
    r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"
    r"|(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{0,4}(?![\w:])"
)
_DIGITS: Final = 8


class Pseudonyms:
    """Learns names by kind ("host", "user", "schema", "table"), and replaces them in texts by pseudonyms."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._known: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def learn(self, kind: str, name: str) -> None:
        """Learn a name that must not appear anywhere; numbers and names that every server has are skipped."""
        plain = name.strip().strip("[]`'\"")
        if plain.lower() in _PUBLIC or plain.isdigit() or plain.startswith("127.") or len(plain) < 2:
            return
        if plain.lower() not in self._known:
            self._known[plain.lower()] = self.stand_in(kind, plain)
            self._pattern = None
        first = plain.partition(".")[0]
        if kind == "host" and first != plain and not first.isdigit():
            self.learn(kind, first)

    def stand_in(self, kind: str, text: str) -> str:
        """The pseudonym of a text, such as host-1f2e3d4c; the text is not learned."""
        digest = hmac.new(self._key, text.lower().encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()
        return f"{kind}-{digest[:_DIGITS]}"

    def in_text(self, text: str) -> str:
        """The text with every known name and every network address replaced. An underscore also ends a name."""
        if not text:
            return text
        text = _ADDRESS.sub(lambda found: self._address(found[0]), text)
        if self._pattern is None:
            longest = sorted(self._known, key=len, reverse=True)
            words = "|".join(map(re.escape, longest)) or r"(?!)"
            self._pattern = re.compile(rf"(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])", re.IGNORECASE)
        return self._pattern.sub(lambda found: self._known[found[0].lower()], text)

    def _address(self, text: str) -> str:
        if text.startswith("127.") or text in _PUBLIC or not any(sign.isdigit() for sign in text):
            return text
        if ":" in text and "::" not in text and text.count(":") != 7:
            return text  # intervals of a set of transaction ids
        return self._known.get(text.lower()) or self.stand_in("host", text)
