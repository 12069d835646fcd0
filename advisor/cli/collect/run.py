"""What does `advisor collect` do? Reads the cluster, redacts, shows, writes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.live_cluster import LiveOptions, find_members, gather_all, incomplete, reading_schedule
from advisor.cli.shared.terminal import complain, write
from advisor.collect.bundle.bundle_files import pack
from advisor.collect.bundle.pseudonyms import Pseudonyms
from advisor.collect.bundle.read_back import read_back
from advisor.collect.bundle.redacted_recordings import redact
from advisor.collect.bundle.save import archive, check_place, save, save_anywhere
from advisor.collect.bundle.stated_roles import complete
from advisor.errors import LabError, UsageError
from advisor.units import show as counted


def collect(live: LiveOptions, output: Path | None, *, show: bool, keep_names: bool) -> int:
    """Read the cluster and write the bundle; the exit code. What could not be read is reported on stderr."""
    if output is None and not show:
        raise UsageError("use -o to write the bundle, or --show to print it", hint="e.g. -o bundle.tar.gz")
    if output is not None:
        check_place(output)
    schedule = reading_schedule(live)
    target = find_members(live)
    gathered = gather_all(target, schedule)
    if not keep_names:
        gathered, target = redact(gathered, target, Pseudonyms(os.urandom(16)))
    files = complete(pack(gathered, target, redacted=not keep_names), target)
    if show:
        write(_shown(files))
    for problem in read_back(files, "").problems:
        complain(problem)
    if output is not None:
        place = save_anywhere(lambda at: save(files, at), output)
        kept = "names kept" if keep_names else "names replaced"
        size = max(1, round(len(archive(files)) / 1024))
        write(f"{place}: {counted(len(gathered.recordings), 'members')}, {size} KiB, {kept}\n", sys.stderr)
        if place != output:
            raise LabError(f"{output} could not be written; the bundle is in {place}")
    return ExitCode.SERVER_FAILED if incomplete(gathered) else ExitCode.OK


def _shown(files: Mapping[str, bytes]) -> str:
    """Every file under its name, as it would be written."""
    parts = (f"==> {name} <==\n{data.decode('utf-8', 'backslashreplace')}\n" for name, data in files.items())
    return "".join(parts)
