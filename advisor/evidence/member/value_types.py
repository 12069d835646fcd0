"""What type and unit has a value that was read as text?"""

from __future__ import annotations

from advisor.annotations import Any
from advisor.model.catalog import Variable, VariableType
from advisor.units import parse_size

_ON, _OFF = frozenset({"ON", "YES", "TRUE", "1"}), frozenset({"OFF", "NO", "FALSE", "0"})
_INFINITE = float("inf")
_NUMBERS = (VariableType.INT, VariableType.UINT, VariableType.DOUBLE)
_LONGEST_NUMBER = 400  # of characters; a double written out has at most 327, longer texts take int() seconds to refuse
_SIZES = ("_size", "_capacity", "_packet", "_bytes", "_size_max", "_length")
# Names that end like sizes and count something else (manual pages of the variables).
_COUNTS = frozenset(
    """innodb_io_capacity thread_cache_size thread_pool_size host_cache_size binlog_transaction_dependency_history_size
    performance_schema_max_digest_length innodb_lru_flush_size gtid_cleanup_batch_size
    group_replication_gtid_assignment_block_size innodb_sync_array_size validate_password.length
    validate_password_length innodb_buffer_pool_dump_pct table_open_cache max_digest_length""".split()
)


def running_value(variable: Variable | None, text: Any) -> Any:
    """A value as SHOW VARIABLES prints it, typed as the catalogue types the variable; text where it knows no type."""
    if not isinstance(text, str) or variable is None:
        return number(text) if isinstance(text, str) else text
    if variable.type is VariableType.BOOL:
        word = text.strip().upper()
        return True if word in _ON else False if word in _OFF else text
    return number(text) if is_number(variable) else text


def is_number(variable: Variable | None) -> bool:
    """Whether the catalogue knows the variable, and as one whose values are numbers."""
    return variable is not None and variable.type in _NUMBERS


def is_whole_word(name: str, text: str) -> bool:
    """Whether the text is a word of that variable, and the beginning of no other word, in every release that has it.

    So it cannot be what is left of a longer value. Of a number that can never be said.
    """
    from advisor.catalog import all_releases, load

    known = [variable for release in all_releases() if (variable := load(release).get(name))]
    return bool(known) and all(
        [word for word in _words(variable) if word.startswith(text.upper())] == [text.upper()] for variable in known
    )


def _words(variable: Variable) -> tuple[str, ...]:
    if variable.type is VariableType.BOOL:
        return ("ON", "OFF")
    return tuple(word.upper() for word in variable.words) if variable.type is VariableType.ENUM else ()


def provider_options(text: str) -> dict[str, Any]:
    """`wsrep_provider_options` taken apart: "gcs.fc_limit=100; gcache.size=1G" (later wins, blanks do not count)."""
    pairs = (part.partition("=") for part in text.split(";") if "=" in part)
    return {key.strip(): provider_value(value.strip()) for key, _, value in pairs}


def provider_value(text: str) -> Any:
    """A provider option's value: numbers as numbers, sizes (128M) in bytes, durations (PT5S) and words as text."""
    size = parse_size(text)
    return number(text) if size is None else size


def unit_of(name: str) -> str:
    """The unit of a variable or counter, by its name: "bytes" for sizes, "" otherwise."""
    return "bytes" if name.endswith(_SIZES) and name not in _COUNTS and not name.startswith("performance_") else ""


def number(text: str) -> Any:
    """An int or float where the whole text is one, else the text as it is."""
    if len(text) > _LONGEST_NUMBER:
        return text
    stripped = text.strip()
    try:
        return int(stripped)
    except ValueError:
        pass
    try:
        found = float(stripped) if stripped[:1] in "-+.0123456789" and stripped else text
    except ValueError:
        return text
    return text if found in (_INFINITE, -_INFINITE) else found  # 1e400 is no value of anything
