"""The container image: what its file copies is there, its commands work, and it is built where an engine runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import uuid
from pathlib import Path

import pytest

ENGINES = ("podman", "docker", "buildah")


@pytest.fixture(scope="module")
def lines(checkout: Path) -> list[str]:
    """The instructions of the Containerfile, one a line."""
    text = (checkout / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def of(lines: list[str], word: str) -> list[str]:
    """What follows the word in each instruction that begins with it."""
    return [line.removeprefix(f"{word} ") for line in lines if line.startswith(f"{word} ")]


def copied(lines: list[str]) -> list[str]:
    """What is copied from the checkout."""
    return [word for copy in of(lines, "COPY") if not copy.startswith("--") for word in copy.split()[:-1]]


def engine() -> str:
    """A container engine that answers; "" for none."""
    for name in ENGINES:
        if shutil.which(name) and not subprocess.run([name, "info"], capture_output=True, check=False).returncode:
            return name
    return ""


def test_everything_that_is_copied_is_there_and_not_ignored(lines: list[str], checkout: Path) -> None:
    ignored = (checkout / ".containerignore").read_text(encoding="utf-8").splitlines()
    assert ignored[1] == "*"
    for path in copied(lines):
        assert (checkout / path).exists(), path
        assert f"!{path}" in ignored
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*wheel["packages"], *wheel["force-include"]} <= set(copied(lines))


def test_it_runs_as_nobody_special_and_from_a_named_release(lines: list[str]) -> None:
    assert re.fullmatch(r"PYTHON=\S+:3\.\d+-slim-\w+", of(lines, "ARG")[0])
    assert of(lines, "FROM") == ["${PYTHON} AS build", "${PYTHON}"]
    assert int(of(lines, "USER")[0].partition(":")[0]) > 0


def test_its_lock_has_every_library_of_the_program_as_the_other_lock_has_it(checkout: Path) -> None:
    small, large = (
        set(re.findall(r"^([\w.-]+)==(\S+)", (checkout / name).read_text(encoding="utf-8"), re.MULTILINE))
        for name in ("requirements-check.lock", "requirements.lock")
    )
    needed = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert {re.split(r"[<>=]", text)[0] for text in needed} <= {name for name, _ in small}
    assert small <= large


@pytest.mark.gate
def test_what_is_installed_runs_without_writing(lines: list[str], checkout: Path, tmp_path: Path) -> None:
    source, place = tmp_path / "src", tmp_path / "advisor"
    for path in copied(lines):
        name = "my.cnf" if path.endswith(".cnf") else path
        if (checkout / path).is_dir():
            shutil.copytree(checkout / path, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            source.mkdir(exist_ok=True)
            shutil.copyfile(checkout / path, source / name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    (libraries,) = place.glob("lib/python3*/site-packages")
    (libraries / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    own["XDG_CACHE_HOME"] = str(place / "cache")
    last = of(lines, "RUN")[-1].replace("/opt/advisor", str(place)).replace("python -m pip", f"{sys.executable} -m pip")
    made = subprocess.run(["sh", "-c", last], cwd=source, env=own, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    assert {path for path in before if path.name.startswith("rules-")}, "the parsed rules"
    assert {path for path in before if path.suffix == ".kept"}, "the byte code of a plain check"
    words = [str(place / "bin/advisor"), *json.loads(of(lines, "CMD")[0])]
    done = subprocess.run(
        words, cwd=checkout / "examples", env=own | {"PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "group-replication-member.cnf: group replication\n" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before


@pytest.mark.gate
def test_the_image_checks_a_mounted_folder(checkout: Path) -> None:
    name = engine()
    if not name or name == "buildah":
        pytest.skip("no container engine answers on this machine")
    tag = f"advisor-test-{uuid.uuid4().hex[:8]}"
    built = subprocess.run(
        [name, "build", "--tag", tag, "--file", "Containerfile", "."], cwd=checkout, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    try:
        mount = f"{checkout / 'examples'}:/work:ro"
        done = subprocess.run(
            [name, "run", "--rm", "--read-only", "--network", "none", "--volume", mount, tag], capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        assert "group-replication-member.cnf: group replication\n" in done.stdout
    finally:
        subprocess.run([name, "rmi", "--force", tag], capture_output=True, check=False)
