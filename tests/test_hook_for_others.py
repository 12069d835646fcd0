"""Is the pre-commit hook that other repositories use valid, and does it look at the right files?"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from advisor.data import read_yaml


@pytest.fixture
def hook(checkout):
    (only,) = read_yaml(checkout / ".pre-commit-hooks.yaml")
    return only


def test_pre_commit_takes_the_manifest(checkout):
    pytest.importorskip("pre_commit")
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(checkout / ".pre-commit-hooks.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", ["my.cnf", "deploy/conf.d/50-server.cnf", "windows/my.ini"])
def test_option_files_are_checked(hook, path):
    assert re.search(hook["files"], path)


@pytest.mark.parametrize("path", ["openssl.cnf", "etc/openssl-ca.cnf", "php.ini", "a.cnf.md", "setup.cfg"])
def test_other_files_are_not(hook, path):
    assert not re.search(hook["files"], path)


def test_the_entry_is_this_command(hook, checkout):
    command, word = hook["entry"].split()
    assert f'{command} = "advisor.cli:main"' in (checkout / "pyproject.toml").read_text(encoding="utf-8")
    assert (checkout / "advisor/cli" / word / "command.py").exists()
