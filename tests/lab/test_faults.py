"""What faults there are, how strong they can be asked to be, and that the page about the lab knows them all."""

from __future__ import annotations

import inspect
import re
from types import ModuleType
from typing import cast

from advisor.cli.lab.text import faults_as_text
from advisor.lab.fault_injection.target import literal
from advisor.lab.faults import fault_names, find_fault, first_line


def test_every_fault_keeps_to_the_contract():
    assert len(fault_names()) >= 15
    for name in fault_names():
        found, module = find_fault(name.replace("_", "-"))
        assert found == name
        assert callable(module.apply)
        assert callable(module.clear)
        assert all(isinstance(value, int | float | str) for value in module.STRENGTH.values())
        assert first_line(name).endswith(".")
        source = inspect.getsource(cast(ModuleType, module))
        assert hasattr(module, "work") is ("process.begin" in source)


def test_the_page_about_the_lab_lists_exactly_the_faults_there_are(checkout):
    page = (checkout / "docs/lab.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `(\w+)` \| (.*?) \| (.*) \|$", page.partition("## Faults")[2].partition("\n## ")[0])
    assert [(name, what) for name, _, what in rows] == [(name, first_line(name)) for name in fault_names()]
    for name, strength, _ in rows:
        written = dict(one.strip("`").split("=") for one in strength.split(", ") if "=" in one)
        assert written == {key: str(value) for key, value in find_fault(name)[1].STRENGTH.items()}


def test_the_list_fits_a_terminal():
    assert max(len(line) for line in faults_as_text(fault_names()).splitlines()) <= 80


def test_a_value_of_sql_is_a_number_or_a_string():
    assert [literal(value) for value in (5, "-1", "1.5", "ON", "it's", "a\\b", "")] == [
        "5", "-1", "1.5", "'ON'", "'it''s'", "'a\\\\b'", "''",
    ]  # fmt: skip
