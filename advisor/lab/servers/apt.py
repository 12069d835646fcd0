"""How are packages unpacked into a user's folder? By apt with a private state, without root.

The sources are those of the machine's apt; an empty list of installed packages makes it download everything needed,
down to the C library, so that a newer suite than the machine's works, too. Nothing on the system is changed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from advisor.errors import LabError

_FORMAT: Final = "$(REPO_URI)\t$(RELEASE)\t$(COMPONENT)\t$(SIGNED_BY)"
_INSTALLED: Final = (
    "Package: {}\nStatus: install ok installed\nVersion: 999:1\nArchitecture: all\nMulti-Arch: foreign\n"
)
_SECONDS: Final = 900


class NoSuchPackage(Exception):
    """The suite does not have one of the packages."""


def here() -> bool:
    """Whether this machine has apt-get and dpkg."""
    return bool(shutil.which("apt-get") and shutil.which("dpkg"))


def codename() -> str:
    """The suite of this machine ("bookworm"); "" when it is not known."""
    return _os_release().get("VERSION_CODENAME", "")


def distribution() -> str:
    """The distribution of this machine ("debian", "ubuntu"); "" when it is not known."""
    return _os_release().get("ID", "")


def fetch(
    packages: Sequence[str], suite: str, work: Path, into: Path, left_out: Sequence[str] = (), version: str = ""
) -> None:
    """Unpack packages and their dependencies into a folder. `suite` "" is the machine's; `work` is for apt's files.

    Packages in `left_out` count as installed, in a version later than any. `version` is how that of the first package
    begins, without an epoch; "" takes any.

    NoSuchPackage when the suite lacks one, or has another version; LabError with apt's messages for everything else.
    """
    options = _own_state(work, _sources(suite), left_out)
    _run(["apt-get", *options, "update", "--quiet", "--quiet", "--error-on=any"])
    for package in packages:
        shown = _run(["apt-cache", *options, "show", "--no-all-versions", package], may_fail=True)
        if not shown or (package is packages[0] and not _version_of(shown).startswith(version)):
            raise NoSuchPackage(package)
    what = ["install", "--yes", "--quiet", "--quiet", "--download-only", "--no-install-recommends", *packages]
    _run(["apt-get", *options, *what])
    for archive in sorted((work / "cache/archives").glob("*.deb")):
        _run(["dpkg", "--extract", str(archive), str(into)])


def versions(packages: Sequence[str], suite: str, work: Path) -> dict[str, str]:
    """Package → the version that the suite has, without the epoch; without those it does not have."""
    options = _own_state(work, _sources(suite), ())
    _run(["apt-get", *options, "update", "--quiet", "--quiet", "--error-on=any"])
    shown = {
        package: _run(["apt-cache", *options, "show", "--no-all-versions", package], may_fail=True)
        for package in packages
    }
    return {package: found for package, record in shown.items() if (found := _version_of(record))}


def _version_of(record: str) -> str:
    """The version in a package's record, without the epoch: "1:11.8.6-0+deb13u1" → "11.8.6-0+deb13u1"."""
    found = re.search(r"(?m)^Version: (?:\d+:)?(\S+)", record)
    return found[1] if found else ""


def _sources(suite: str) -> str:
    """The lines of a source list: the machine's sources, or another suite from the same servers."""
    own = codename()
    lines = []
    for line in sorted(
        set(_run(["apt-get", "indextargets", "--format", _FORMAT, "Created-By: Packages"]).splitlines())
    ):
        uri, release, component, signed_by = line.split("\t")
        option = f"[signed-by={signed_by}] " if signed_by.startswith("/") else ""
        if not suite:
            lines.append(f"deb {option}{uri} {release} {component}")
        elif release == own and component == "main":
            lines.append(f"deb {option}{uri} {suite} main")
    if not lines:
        raise LabError("apt has no package sources", hint="check the output of `apt-get indextargets`")
    return "\n".join(lines) + "\n"


def _own_state(work: Path, sources: str, installed: Sequence[str]) -> list[str]:
    for folder in ("lists/partial", "cache/archives/partial", "state"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    (work / "sources.list").write_text(sources, encoding="utf-8")
    (work / "status").write_text("\n".join(_INSTALLED.format(name) for name in installed), encoding="utf-8")
    settings = {
        "Dir::State": work / "state",
        "Dir::State::lists": work / "lists",
        "Dir::State::status": work / "status",
        "Dir::Cache": work / "cache",
        "Dir::Etc::SourceList": work / "sources.list",
        "Dir::Etc::SourceParts": "/dev/null",
        "Debug::NoLocking": "1",
        "Acquire::Languages": "none",
        "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
        "APT::Update::Post-Invoke-Success::": "true",
    }
    if os.geteuid() == 0:
        settings["APT::Sandbox::User"] = "root"  # else apt drops to a user who may not enter the folder
    return [f"-o{name}={value}" for name, value in settings.items()]


def _run(words: list[str], *, may_fail: bool = False) -> str:
    environment = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False, env=environment
        )
    except OSError as error:
        raise LabError(f"cannot run {words[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise LabError(f"{words[0]} took more than {_SECONDS} seconds") from None
    if done.returncode and not may_fail:
        messages = [line for line in (done.stderr or done.stdout).splitlines() if line.startswith(("E:", "dpkg"))]
        raise LabError(f"{words[0]} failed: {'; '.join(messages[-3:]) or f'exit code {done.returncode}'}")
    return "" if done.returncode else done.stdout


def _os_release() -> dict[str, str]:
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return {name: value.strip('"') for name, found, value in (line.partition("=") for line in lines) if found}
