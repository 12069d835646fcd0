"""What did the server show where the exporter has a number? ON and OFF came as 1 and 0, and so did NO and DISABLED.

The type of the variable in this release tells a switch from a number. https://github.com/prometheus/mysqld_exporter
(collector/collector.go, parseStatus)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.catalog.releases import detect_release
from advisor.catalog.variables import load
from advisor.model.catalog import VariableType

_NUMBERS: Final = frozenset({VariableType.INT, VariableType.UINT, VariableType.DOUBLE})
_SWITCH: Final = ("OFF", "ON")


def variable_text(name: str, value: float, texts: Mapping[str, str]) -> str:
    """The value as text; `texts` of the member have its version. Without a version 0 and 1 stay numbers."""
    release = detect_release(texts.get("version", ""), texts.get("version_comment", ""))
    if value in (0, 1) and release is not None:
        variable = load(release).get(name)
        number = str(int(value))
        if variable is not None and variable.type not in _NUMBERS and number not in variable.words:
            return _SWITCH[int(value)]
    return str(int(value)) if value == int(value) else f"{value:.15g}"
