"""What a process wrote to the other end of a pseudo-terminal, until it ended."""

from __future__ import annotations

import os


def read_all(end: int) -> bytes:
    """Everything; the end is closed afterwards."""
    said = b""
    while True:
        try:
            piece = os.read(end, 65536)
        except OSError:  # Linux: the other end is closed
            break
        if not piece:
            break
        said += piece
    os.close(end)
    return said
