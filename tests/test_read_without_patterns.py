"""What a plain check reads without importing `re` is what a regular expression says of the same text."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from io import StringIO
from itertools import groupby

import pytest

from advisor.catalog import releases
from advisor.catalog.table import row, rows
from advisor.check import judge, message
from advisor.evidence import topology_hints
from advisor.evidence.facts.files import rejected_values
from advisor.evidence.facts.replication import addresses
from advisor.evidence.formats import detect_format
from advisor.masking import _names_secret, is_secret, mask_name
from advisor.options import groups, values

_TEXTS = 1500  # random ones for each pattern
Said = Callable[[str], object]


def _matches(pattern: str) -> Said:
    return lambda text: bool(re.match(pattern, text))


def _holes(template: str) -> list[str]:
    pattern = r"\{([a-zA-Z_][\w.]*)(?::(\w+))?\}"
    return [hole[1] for hole in re.finditer(pattern, template)]


def _variables(text: str) -> list[str]:
    return re.findall(r"\b[a-z]+(?:_[a-z0-9]+)+\b", text)


def _variables_spelt(text: str) -> list[str]:
    """The words that `fill` spells anew."""
    parts = ["".join(signs) for chunk in text.split(" ") for _, signs in groupby(chunk, message._is_word)]
    return list(filter(message._is_variable, parts))


def _digits(text: str) -> tuple[int, str]:
    found = re.match(r"\s*[+-]?(\d+)", text)
    return (int(found[1]), text[found.end() :]) if found else (0, text)


def _release(text: str) -> tuple[str, str, str] | None:
    found = re.fullmatch(r"([a-z]+)[-_ ]*v?(\d+(?:\.\d+){0,2})?(.*)", text, re.DOTALL)
    return (found[1], found[2] or "", found[3]) if found else None


def _release_parts(text: str) -> tuple[str, str, str] | None:
    parts = releases._parts(text)
    return parts if parts[0] else None


def _masked(name: str) -> str:
    parts = re.split(r"([\s:]+)", name, maxsplit=1)
    return f"{parts[0]}{parts[1]}********" if len(parts) == 3 and parts[2] and is_secret(parts[0]) else name


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


_HIDDEN = r"(?=.*[a-z*])(\d+|x+|y+|z+|\*)(\.(\d+|x+|y+|z+|\*)){3}(:\d+)?\Z|<.*>\Z"
_GROUP = r"[ \t]*\[[^\]\n@~$]*\][ \t]*(?:[#;].*)?\r?\Z"
_OF_SERVER = r"(?:mysqld|mariadbd|server|mariadb|client-server|galera|mysql_cluster)(?![a-z])"
_WITH_SERIES = r"(mysqld|server|mariadb|mariadbd|galera|wsrep)(-\d[\w.]*)?\Z"
_SECRET = r"(?s).*(pas+w|passphrase|pwd\Z|secret|_token\Z|sst_?auth|(file|encryption_|api_?|access_?)key\Z)"


@pytest.mark.parametrize(
    ("pieces", "reader", "pattern"),
    [
        (["{", "}", ":", "a", "_", "x1", "9", ".", " ", "é", "{fact.a:MiB}"], message.holes, _holes),
        (["a", "b_c", "_", "x1", "9", ".", " ", "é", "A", "-", "{"], _variables_spelt, _variables),
        ([*"1٣.,a \n²"], judge._figures, lambda text: tuple(re.findall(r"\d[\d.,]*", text))),
        ([*"[] \ta@#;\r\xa0"], detect_format._is_group, _matches(_GROUP)),
        ([*'[]{}%" \n\x1c1-a٣'], detect_format._is_json, _matches(r"\s*(?:\{(?![{%])|\[\s*[\[{\"\d\]-])")),
        (["pa", "s", "w", "pwd", "secret", "_token", "sst", "_", "auth", "key", "file", "api", "encryption_"],
         _names_secret, _matches(_SECRET)),
        (["password", "pwd", " ", ":", "x", "\t", "\x1f"], mask_name, _masked),
        ([*"a\n\r\x0b\x1c\x85"], lambda text: list(StringIO(text)), _lines),
        (["mysqld", "mariadb", "d", "server", "galera", "-", "1", "["], groups._may_be_of_a_server,
         _matches(_OF_SERVER)),
        (["mysqld", "mariadb", "d", "-", "8", ".", "_", "x"], topology_hints._is_of_server, _matches(_WITH_SERIES)),
        ([*" \t+-019kM.٣²"], values._leading_digits, _digits),
        ([*"01kmGiIbBx"], rejected_values._is_suffixed, _matches(r"(?i)\d+[kmgtpe]\Z")),
        (["x", "y", "*", ".", ".", "1", ".x.x.x", ":", "<", ">"], addresses._is_placeholder, _matches(_HIDDEN)),
        (["mysql", "v", "-", " ", "8", "0", ".", "a", "\n"], _release_parts, _release),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)  # fmt: skip
def test_a_reader_agrees_with_its_pattern(pieces: list[str], reader: Said, pattern: Said) -> None:
    for text in _random_texts(pieces):
        assert reader(text) == pattern(text), repr(text)


def _random_texts(pieces: list[str]) -> Iterator[str]:
    chosen = random.Random(20261123)
    return ("".join(chosen.choices(pieces, k=chosen.randint(0, 8))) for _ in range(_TEXTS))


@pytest.mark.parametrize("stem", ["mysql-5.7", "mysql-9.7", "mariadb-12.3", "percona", "renames", "galera"])
def test_rows_of_the_catalogue_are_read_as_json_reads_them(stem: str) -> None:
    texts = rows(stem)
    assert {name: row(stem, name) for name in texts} == {name: json.loads(text) for name, text in texts.items()}
