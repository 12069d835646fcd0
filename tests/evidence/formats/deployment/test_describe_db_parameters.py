"""What RDS prints of a parameter group counts as running values; formulas are unknown."""

from __future__ import annotations

import json
from pathlib import Path

from advisor.check import check, load_rules
from advisor.evidence import read_path
from advisor.evidence.formats.json_dump import read_json


def test_a_parameter_group_gives_its_values_and_formulas_as_they_are() -> None:
    pairs = {"sync_binlog": "0", "innodb_buffer_pool_size": "{DBInstanceClassMemory*3/4}", "port": None}
    parameters = [{"ParameterName": n, **({"ParameterValue": v} if v else {})} for n, v in pairs.items()]
    builder = read_json(json.dumps({"Parameters": parameters}), "rds.json")
    assert builder.variables["sync_binlog"].value == "0"
    assert "port" not in builder.variables
    assert builder.variables["innodb_buffer_pool_size"].value == "{DBInstanceClassMemory*3/4}"


def test_a_formula_is_unknown_and_not_the_default(tmp_path: Path) -> None:
    file = tmp_path / "rds.json"
    group = {"Parameters": [{"ParameterName": "sync_binlog", "ParameterValue": "{x}"}]}
    file.write_text(json.dumps(group), encoding="utf-8")
    findings = check(read_path(str(file)), load_rules()).findings
    assert any("sync_binlog" in finding.missing for finding in findings)
