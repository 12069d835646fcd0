"""Formulas of parameter groups are computed as RDS computes them, or are none that is understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.evidence.formats.deployment.parameter_formula import MEMORY, compute, is_formula

GIB = 1 << 30


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{DBInstanceClassMemory*3/4}", 12 * GIB),
        ("{DBInstanceClassMemory/12582880}", 16 * GIB // 12582880),
        ("LEAST({DBInstanceClassMemory/6000000},10)", 10),
        ("{LEAST({DBInstanceClassMemory/6000000},10)}", 10),
        ("GREATEST({DBInstanceClassMemory/1073741824}, 8)", 16),
        ("SUM({DBInstanceClassMemory/1073741824},100, 4)", 120),
        ("GREATEST(LEAST({DBInstanceClassMemory/1073741824},8), SUM(1,2))", 8),
        ("{7/2*2}", 6),
        (" { DBInstanceClassMemory / 4 } ", 4 * GIB),
    ],
)
def test_the_value_of_a_formula(text, value):
    assert is_formula(text) or "{" not in text
    assert compute(text, {MEMORY: 16 * GIB}).value == value


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("{DBInstanceClassMemory*3/4}", (MEMORY,)),
        ("SUM({AllocatedStorage/2},{DBInstanceVCPU*2})", ("AllocatedStorage", "DBInstanceVCPU")),
    ],
)
def test_what_is_not_known_is_named(text, needs):
    assert compute(text, {}).needs == needs
    assert compute(text, {}).value is None


@pytest.mark.parametrize(
    "text",
    ["{}", "{Foo*2}", "{log(DBInstanceClassMemory)*2}", "{1/0}", "LEAST({1},", "{1}}", "{" * 30 + "1" + "}" * 30],
)
def test_other_formulas_are_not_understood(text):
    assert not compute(text, {MEMORY: GIB}).understood


@pytest.mark.parametrize("value", ["1", "ON", "", None, "a{b}", "utf8mb4", "LEAST"])
def test_other_values_are_no_formulas(value):
    assert not is_formula(value)


@given(st.text(alphabet="{}(),*/0129 LEASTDBInstanceClassMemory", max_size=60))
def test_no_text_breaks_the_reader(text):
    assert compute("{" + text, {MEMORY: GIB}).value is None or "}" in text
