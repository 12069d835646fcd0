"""Two texts of one value are the same value."""

from __future__ import annotations

from advisor.tune.trial.read_settings import differences, same_value


def test_values_are_alike_however_they_are_written():
    assert same_value("8M", "8388608")
    assert same_value("ON", "1")
    assert not same_value("8M", "8388609")
    assert differences({"m1": {"a": "ON"}}, {"m1": {"a": "1"}}) == {}
