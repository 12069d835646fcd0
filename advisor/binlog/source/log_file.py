"""Is this file a binary log that can be read?"""

from __future__ import annotations

from typing import BinaryIO, Final

from advisor.errors import InputError

MAGIC: Final = b"\xfebin"
FIRST_POSITION: Final = len(MAGIC)
_ENCRYPTED: Final = b"\xfdbin"
_INNODB_SUFFIX: Final = ".ibb"
_FROM_SERVER: Final = "let its server send it decrypted: mysqlbinlog --read-from-remote-server --raw --host=HOST FILE"
_OTHERS: Final = (
    (b"\x1f\x8b", "it is compressed with gzip", "unpack it first: gunzip"),
    (b"\x28\xb5\x2f\xfd", "it is compressed with zstd", "unpack it first: unzstd"),
    (b"BZh", "it is compressed with bzip2", "unpack it first: bunzip2"),
    (b"/*!", "it is the text that mysqlbinlog prints", "name the binary log itself"),
    (b"# ", "it is plain text", "name the binary log itself"),
)
ENCRYPTED_HINT: Final = _FROM_SERVER


def open_log(path: str) -> BinaryIO:
    """The file, positioned at its first event; InputError with the reason if it is not a binary log."""
    try:
        stream = open(path, "rb", buffering=0)  # noqa: SIM115 – the caller closes it
        magic = stream.read(FIRST_POSITION)
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", file=path) from None
    if magic == MAGIC:
        return stream
    stream.close()
    if magic == _ENCRYPTED:
        raise InputError("the file is encrypted by MySQL", file=path, hint=_FROM_SERVER)
    if path.endswith(_INNODB_SUFFIX):
        raise InputError("advisor cannot read binary logs inside InnoDB (MariaDB 12.3)", file=path)
    if not magic:
        raise InputError("the file is empty", file=path)
    for beginning, what, hint in _OTHERS:
        if magic.startswith(beginning):
            raise InputError(f"not a binary log: {what}", file=path, hint=hint)
    raise InputError("not a binary log: it does not begin with 'fe 62 69 6e'", file=path)
