"""Is the cluster faster with other settings? Alternating runs without and with them; always restored afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from advisor.bench.open_cluster import OpenCluster
from advisor.bench.run import RunPlan
from advisor.bench.statistics.paired_runs import order, ratios
from advisor.lab.processes import held_back
from advisor.model.applying import AppliedSetting
from advisor.model.measurement import Comparison, Measurement, Run
from advisor.topologies import NotApplied, apply_settings

Apply = Callable[[Mapping[str, Mapping[str, str]]], Mapping[str, Mapping[str, str]]]


def applier(opened: OpenCluster) -> Apply:
    """Applies settings to a cluster without restarting a server; what a failed change has applied is undone."""

    def apply(wanted: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
        try:
            return _before(apply_settings(opened.module, opened.nodes, wanted))
        except NotApplied as error:
            with held_back():
                apply_settings(opened.module, opened.nodes, _before(error.applied))
            raise

    return apply


def _before(applied: Sequence[AppliedSetting]) -> Mapping[str, Mapping[str, str]]:
    values: dict[str, dict[str, str]] = {}
    for setting in applied:
        values.setdefault(setting.member, {})[setting.name] = setting.before
    return values


def compare(
    plan: RunPlan,
    wanted: Mapping[str, Mapping[str, str]],
    pairs: int,
    measure: Callable[[RunPlan], Run],
    apply: Apply,
    tell: Callable[[str], None],
) -> Comparison:
    """Measure pairs of runs. `wanted` are settings by member; `apply` sets them and returns the values before.

    Errors of servers and of the load as they come, after the settings are restored.
    """
    with held_back():
        apply(apply(wanted))  # what cannot be applied is refused before the first run
    before: Mapping[str, Mapping[str, str]] | None = None
    measured: dict[str, list[Measurement]] = {"A": [], "B": []}
    try:
        for number, turn in enumerate(order(pairs), 1):
            if turn == "B" and before is None:
                with held_back():  # Ctrl-C halfway would leave it unknown what was set
                    before = apply(wanted)
            elif turn == "A" and before is not None:
                with held_back():
                    apply(before)
                before = None
            measurement = measure(plan).measurement
            measured[turn].append(measurement)
            tell(f"run {number} of {2 * pairs}, {turn}: {measurement.peak_per_second:.0f} tx/s")
    finally:
        if before is not None:
            with held_back():
                apply(before)
    a, b = tuple(measured["A"]), tuple(measured["B"])
    settings = {name: value for values in wanted.values() for name, value in values.items()}
    warnings = dict.fromkeys(warning for measurement in (*a, *b) for warning in measurement.warnings)
    return Comparison(settings, ratios(a, b), a, b, tuple(warnings))
