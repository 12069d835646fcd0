"""Is the cluster faster with other settings? Runs in turns, as it was and with them; put back whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from advisor.bench.open_cluster import Field
from advisor.bench.run import Plan
from advisor.bench.statistics.paired_runs import order, ratios
from advisor.lab.processes import held_back
from advisor.model.applying import AppliedSetting
from advisor.model.measurement import Comparison, Measurement, Run
from advisor.topologies import NotApplied, apply_settings

Apply = Callable[[Mapping[str, Mapping[str, str]]], Mapping[str, Mapping[str, str]]]


def applier(field: Field) -> Apply:
    """How settings reach a cluster without a restart of a server; what was done of a change that fails is undone."""

    def apply(wanted: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
        try:
            return _before(apply_settings(field.module, field.nodes, wanted))
        except NotApplied as error:
            with held_back():
                apply_settings(field.module, field.nodes, _before(error.applied))
            raise

    return apply


def _before(applied: Sequence[AppliedSetting]) -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for one in applied:
        found.setdefault(one.member, {})[one.name] = one.before
    return found


def compare(
    plan: Plan,
    wanted: Mapping[str, Mapping[str, str]],
    pairs: int,
    run: Callable[[Plan], Run],
    apply: Apply,
    tell: Callable[[str], None],
) -> Comparison:
    """Measure pairs of runs. `wanted` are settings by member; `apply` sets them and gives what they were before.

    Errors of servers and of the load as they come, after the settings are back.
    """
    with held_back():
        apply(apply(wanted))  # what cannot be applied is refused before any run
    before: Mapping[str, Mapping[str, str]] | None = None
    found: dict[str, list[Measurement]] = {"A": [], "B": []}
    try:
        for number, turn in enumerate(order(pairs), 1):
            if turn == "B" and before is None:
                with held_back():  # Ctrl-C in the middle would leave what was set unknown
                    before = apply(wanted)
            elif turn == "A" and before is not None:
                with held_back():
                    apply(before)
                before = None
            measured = run(plan).measurement
            found[turn].append(measured)
            tell(f"run {number} of {2 * pairs}, {turn}: {measured.peak_per_second:.0f} tx/s")
    finally:
        if before is not None:
            with held_back():
                apply(before)
    a, b = tuple(found["A"]), tuple(found["B"])
    settings = {name: value for values in wanted.values() for name, value in values.items()}
    said = dict.fromkeys(warning for one in (*a, *b) for warning in one.warnings)
    return Comparison(settings, ratios(a, b), a, b, tuple(said))
