"""A file of a quantity says what it should, or an error names the key at fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.compare.quantities import load_quantities, quantities_in
from advisor.errors import RuleError
from advisor.model.comparison.quantity import Area, Effect

GOOD = """id: example
title: example
area: redo
effect: decides
value: innodb_log_buffer_size
why: It matters.
see: [https://dev.mysql.com/doc/]
"""


def test_every_shipped_quantity_has_a_reason_and_a_source() -> None:
    quantities = load_quantities()
    assert {quantity.area for quantity in quantities} == set(Area)
    assert all(quantity.why.endswith(".") for quantity in quantities)
    assert all(link.startswith("https://") for quantity in quantities for link in quantity.see)


def test_they_come_in_the_order_of_reports() -> None:
    areas = [quantity.area for quantity in load_quantities()]
    assert areas == sorted(areas, key=list(Area).index)


def test_a_quantity_is_a_file_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "example.yaml").write_text(GOOD, encoding="utf-8")
    (quantity,) = quantities_in(str(tmp_path))
    assert (quantity.id, quantity.effect, quantity.tolerance) == ("example", Effect.DECIDES, 0)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (GOOD.replace("id: example", "id: other"), "differs from the name of the file"),
        (GOOD.replace("area: redo", "area: rod"), "area: 'rod' is not one of"),
        (GOOD.replace("decides", "matters"), "effect: 'matters' is not one of"),
        (GOOD.replace("log_buffer", "log_bufer"), "'innodb_log_bufer_size' is not a name that any server has"),
        (GOOD.replace("why: It matters.\n", ""), "the key 'why' is missing"),
        (GOOD + "wen: fact.binlog_on\n", "no key 'wen'"),
        (GOOD + "when: fact.binlog_onn\n", "'fact.binlog_onn' is not a name that any server has"),
        (GOOD + "tolerance_percent: -3\n", "'-3' is not a whole number below 100"),
        (GOOD + "remarks: [{for: {mysql: '>=8'}}]\n", "the key 'says' is missing"),
    ],
)
def test_a_file_that_is_wrong_is_refused(tmp_path: Path, wrong: str, says: str) -> None:
    (tmp_path / "example.yaml").write_text(wrong, encoding="utf-8")
    with pytest.raises(RuleError, match=says) as error:
        quantities_in(str(tmp_path))
    assert error.value.file == str(tmp_path / "example.yaml")
