"""Which texts does a server look into when it starts, and which does it refuse?

Most texts are only copied. Tried on MySQL 5.7.22, 8.0.15, 9.7.4 and MariaDB 10.11.18, 11.4.5, 11.8.9.
"""

from __future__ import annotations

from advisor.model.options import Note, NoteKind
from advisor.model.server import Family
from advisor.options.lines import printable

_CHARACTER_SETS = frozenset(
    "armscii8 ascii big5 binary cp1250 cp1251 cp1256 cp1257 cp850 cp852 cp866 cp932 dec8 eucjpms euckr gb2312 gbk"
    " geostd8 greek hebrew hp8 keybcs2 koi8r koi8u latin1 latin2 latin5 latin7 macce macroman sjis swe7 tis620 ucs2"
    " ujis utf16 utf16le utf32 utf8 utf8mb3 utf8mb4".split()
)
_TABLE_FILTERS = frozenset("do_table ignore_table wild_do_table wild_ignore_table".split())
_CONSISTENCY = dict(zip("0 OFF FALSE 1 ON TRUE 2 WARN".split(), "OFF OFF OFF ON ON ON WARN WARN".split(), strict=True))
_EXCHANGES = ("ECDHE-ECDSA-", "ECDHE-RSA-", "DHE-RSA-", "")
_CIPHERS = frozenset("AES128-GCM-SHA256 AES256-GCM-SHA384 AES128-CCM AES256-CCM CHACHA20-POLY1305".split())
_NO_CHARACTER_SETS = ("character_set_client_handshake", "character_set_collations")
_SINCE_9 = ("9.7", "26.10")  # series of MySQL
_SUITES = frozenset("TLS_AES_128_GCM_SHA256 TLS_AES_256_GCM_SHA384 TLS_CHACHA20_POLY1305_SHA256".split())


def remark(name: str, text: str, family: Family, series: str) -> Note | None:
    """What the server has against the text of a variable; None when it takes or does not look at it."""
    filtered = name.removeprefix("replicate_")
    if filtered != name:
        return _filter(filtered, text)
    if name.startswith("character_set_") and text and name not in _NO_CHARACTER_SETS:
        return bad_character_set(text, family, series)
    if name == "collation_server":
        return _collation(text, family, series)
    if family is Family.MYSQL and series in _SINCE_9:
        return _encryption(name.removeprefix("admin_"), text)
    return None


def consistency(text: str | None) -> str | None:
    """The word `enforce_gtid_consistency` is set to; None when the text is none, and the server passes over it."""
    return "ON" if text is None else _CONSISTENCY.get(text.upper())


def character_set_of(collation: str) -> str:
    """The character set a collation belongs to, by its name: "utf8mb4_bin" → "utf8mb4"."""
    name = collation.lower().partition("_")[0]
    return "utf8mb3" if name == "utf8" else name


def bad_character_set(text: str, family: Family, series: str) -> Note | None:
    """A remark when the server does not know the character set; a wrong one stops it at once."""
    name = text.lower()
    if name == "utf8" and family is Family.MYSQL and series in _SINCE_9:
        message = "the character set utf8 is no longer accepted as a start option"
        return Note(NoteKind.REFUSED_VALUE, message, instead="utf8mb4")
    if name in _CHARACTER_SETS or (name == "gb18030" and family is Family.MYSQL):
        return None
    return _refused(f"unknown character set '{text}'")


def _filter(name: str, text: str) -> Note | None:
    """Filters of tables name the database too; a database is renamed FROM->TO."""
    if name in _TABLE_FILTERS and "." not in text:
        return _refused(f"'{text}' does not name a table: the database is missing", "write DATABASE.TABLE")
    source, arrow, target = text.partition("->")
    if name == "rewrite_db" and not (source.strip() and arrow and target.strip()):
        return _refused(f"'{text}' is not a rule FROM->TO", "write FROM->TO")
    return None


def _collation(text: str, family: Family, series: str) -> Note | None:
    """Only what the name tells: its character set, and the collations that MySQL 8.0 brought."""
    name = text.lower()
    if family is Family.MYSQL and series in _SINCE_9 and name.startswith("utf8_"):
        instead = f"utf8mb4_{name[5:]}"
        return Note(NoteKind.REFUSED_VALUE, "collations of utf8 are no longer accepted as a start option", "", instead)
    charset = name.partition("_")[0]
    if bad_character_set(charset, family, "") or (charset == name != "binary"):
        return _refused(f"unknown collation '{text}'")
    old = family is Family.MARIADB and series in ("10.5", "10.6", "10.11")
    if "_0900_" in name and (old or series == "5.7"):
        return _refused(
            f"unknown collation '{text}': it was added in MySQL 8.0", "utf8mb4_unicode_520_ci is the nearest"
        )
    return None


def _encryption(name: str, text: str) -> Note | None:
    """9.7 takes TLS 1.2 and 1.3 with a short list of ciphers only."""
    wanted: list[str] = []
    if name == "tls_version" and text:
        words = text.split(",")
        wanted = [word for word in words if word and word.lower() not in ("tlsv1.2", "tlsv1.3")]
        if wanted or not any(words):
            return _refused(f"'{text}': only TLSv1.2 and TLSv1.3 are supported", "write TLSv1.2,TLSv1.3")
    elif name == "ssl_cipher":
        wanted = [word for word in text.split(":") if word and not _known_cipher(word)]
    elif name == "tls_ciphersuites":
        wanted = [word for word in text.split(":") if word and word not in _SUITES]
    return _refused(f"this release does not accept the cipher '{wanted[0]}'") if wanted else None


def _known_cipher(word: str) -> bool:
    return word.startswith("!") or any(word.removeprefix(start) in _CIPHERS for start in _EXCHANGES)


def _refused(message: str, hint: str = "") -> Note:
    return Note(NoteKind.REFUSED_VALUE, printable(message), hint)
