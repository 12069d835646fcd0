"""What a recommendation says of its runs: their noise, and warnings they share."""

from __future__ import annotations

from advisor.model.lab import ClusterFile
from advisor.model.recommendation import BASELINE
from advisor.model.server import Role, Topology
from advisor.model.tuning import Outcome
from advisor.tune.results.recommendation import baseline_runs, changes_of, frequent_warnings
from advisor.tune.space.member_values import running_settings
from advisor.tune.state.journal import Originals
from advisor.tune.trial.run_trial import TuningTarget
from advisor.tune.validation.blocks import BlockRun
from tests.tune.starting_points import baseline_trials, member


def test_noise_is_that_of_the_proof_where_it_has_enough_runs():
    search = baseline_trials(0.3, 5)
    like = Outcome((1000.0,) * 6, seconds=60.0)
    blocks = [BlockRun(at, name, like) for at in range(6) for name in ("tuned", BASELINE)]
    found = baseline_runs(search, blocks)
    assert [trial.at_seconds for trial in found[:2]] == [2400.0 + 120.0, 2400.0 + 240.0]
    assert len(found) == 6
    assert baseline_runs(search, blocks[:6]) == search, "three are too few"


def test_what_is_said_of_many_runs_is_said_of_the_night_whatever_its_figures():
    runs = [(f"the CPUs were {90 + at}% busy", "m2 was restarted") for at in range(4)]
    assert frequent_warnings([*runs, (), ("m1 was restarted",), ("m3 was restarted",)]) == [
        "the CPUs were 93% busy (in 4 of 7 runs)",
        "m2 was restarted (in 4 of 7 runs)",
    ]
    assert frequent_warnings([]) == []
    assert frequent_warnings([("fsync took 2.5 ms",), *[()] * 3]) == [], "once of four"


def test_changes_have_sizes_in_the_unit_of_option_files_and_counts_as_they_are(space_of):
    space = space_of("galera", "mariadb-10.11.14")
    node = member("m1", Role.NODE)
    cluster = ClusterFile("cluster.yaml", "shop", Topology.GALERA, "", "u", "", (node,))
    values = {knob.name: knob.default or knob.advice for knob in space.knobs}
    values |= {"galera.gcache.size": "128M", "innodb_log_buffer_size": "16777216", "innodb_lru_scan_depth": "1536"}
    target = TuningTarget(cluster, space.release, space, Originals("cluster.yaml", {"m1": values}))
    running = running_settings(space, [node], {"m1": values})
    after = {"galera.gcache.size": str(2**30), "innodb_log_buffer_size": str(2**26), "innodb_lru_scan_depth": "1024"}
    changes = {
        change.name: (change.before, change.after) for change in changes_of(target, running, running | after, {})
    }
    assert changes == {
        "galera.gcache.size": (("128M",), "1G"),
        "innodb_log_buffer_size": (("16M",), "64M"),
        "innodb_lru_scan_depth": (("1536",), "1024"),
    }
