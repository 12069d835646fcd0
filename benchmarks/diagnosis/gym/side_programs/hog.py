"""What else uses the machine? One program next to the servers.

`python -m benchmarks.diagnosis.gym.side_programs.hog KIND FOLDER`

cpu: a busy loop. fsync: appends 4 KiB to a file in the folder and syncs it, again and again. write: streams blocks of
1 MiB to a file there and syncs every sixteenth, as a backup does. Files start again before they fill the disk.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Final

from benchmarks.diagnosis.gym.side_programs.parent import end_with_parent

_SMALL: Final = bytes(4 << 10)
_LARGE: Final = bytes(1 << 20)
_SYNC_EVERY: Final = 16
_MOST_BYTES: Final = 1 << 30


def main(kind: str, folder: str) -> None:
    """Work until killed."""
    end_with_parent(signal.SIGKILL)
    if kind == "cpu":
        while True:
            pass
    block, every = (_SMALL, 1) if kind == "fsync" else (_LARGE, _SYNC_EVERY)
    path = os.path.join(folder, f"hog-{os.getpid()}")
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.unlink(path)  # nothing is left behind, however it ends
    while True:
        for number in range(1, _MOST_BYTES // len(block) + 1):
            os.write(file, block)
            if number % every == 0:
                os.fsync(file)
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)


if __name__ == "__main__":
    main(*sys.argv[1:])
