"""Tests for `advisor.timeline.signals`: the shipped files are whole, and their sentences can be written."""

from __future__ import annotations

import pytest

from advisor.check.known_names import counters as known_counters
from advisor.model.monitoring.timeline import Part
from advisor.timeline.signals import Signal, load_commands, load_signals


@pytest.mark.parametrize("signal", load_signals(), ids=lambda signal: signal.id)
def test_a_signal_reads_counters_that_servers_have_and_says_what_moved(signal: Signal) -> None:
    assert signal.rises
    for template in filter(None, (signal.rises, signal.falls)):
        said = template.format(member="db1", before="1", after="2")
        assert "db1" in said
        assert "2" in said
    if signal.part is Part.EFFECT:
        assert signal.falls
    counters = {
        quantity.removeprefix("status.")
        for formula in signal.formulas
        for quantity in formula.quantities
        if quantity.startswith("status.")
    }
    assert counters <= known_counters()


def test_commands_are_counted_by_some_server() -> None:
    # LOCK TABLES FOR BACKUP is Percona Server's alone, which the list of counters was not read from.
    percona = {"Com_lock_tables_for_backup"}
    assert {name for group in load_commands() for name in group.counters} - known_counters() <= percona
