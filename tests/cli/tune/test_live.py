"""`advisor tune --live`: what it refuses, and what its reports say."""

from __future__ import annotations

import json
import math

import pytest
from typer.testing import CliRunner

from advisor.cli.app import build_app
from advisor.cli.tune.live_json import outcome_as_json
from advisor.cli.tune.live_options import parse_share
from advisor.cli.tune.live_text import outcome_as_text
from advisor.errors import UsageError
from advisor.model.measurement import Interval
from advisor.model.record import replace
from advisor.report.words.layout import Page
from advisor.tune.live.candidates import Candidate
from advisor.tune.live.limits import Watched, unset_limits
from advisor.tune.live.outcome import Ending, LiveOutcome, Tried
from advisor.tune.live.statistics.turn_plan import TurnPlan
from advisor.tune.live.statistics.verdict import Answer, Effect, Measure, Verdict
from advisor.tune.live.traffic.figures import Figures
from advisor.tune.live.watch import Watch

EFFECT = Effect(Measure.COMMIT_LATENCY, Interval(0.40, 0.45, 0.51), 12, 11.0, 5.0, 0.001, 1.0, better=True, worse=False)
COST = Effect(
    Measure.SYNCS_PER_TRANSACTION, Interval(1.1, 1.2, 1.3), 12, 2.0, 2.4, 1.0, 0.001, better=False, worse=True
)
DELAY = Candidate(
    "why: Commits are delayed (50%)",
    {"m1": {"binlog_group_commit_sync_delay": "5000"}},
    {"m1": {"binlog_group_commit_sync_delay": "0"}},
    3,
)
PLAN = TurnPlan(9, 3, 12, 0.1)
HELPFUL = Tried(DELAY, Verdict(Answer.HELPS, (EFFECT, COST)), PLAN)
WATCH = Watch(
    figures=Figures(900.0, 62.0, 55_000, commit_ms=11.0, commit_p95_ms=18.0),
    measure=Measure.COMMIT_LATENCY,
    series=(),
    slope=0.0,
    moment_seconds=12.0,
    detectable=((1800.0, 0.11), (14400.0, None)),
    measures=(Measure.COMMIT_LATENCY,),
    unknown={"cpu": "the servers do not run on this machine"},
)


def outcome(*tried: Tried, ending: Ending = Ending.FINISHED) -> LiveOutcome:
    limits = replace(unset_limits(1000.0, 50.0, 0.05, 0.9), applies=False, given_up=(Watched.MEMORY,))
    return LiveOutcome("shop", "mysql 8.4.5", "standalone", WATCH, limits, "UPDATE", tried, ending, 2000.0)


def text(found: LiveOutcome) -> str:
    return " ".join(outcome_as_text(found, Page(200)).split())


def test_what_helps_comes_first_with_its_effect_and_its_cost() -> None:
    shown = text(outcome(HELPFUL))
    assert shown.startswith(
        "binlog_group_commit_sync_delay = 0 (was 5000) on m1 helps. The former values are in force again."
    )
    assert "takes effect at once, risk R1; costs more syncs per transaction" in shown
    assert "commit latency at the same rate: 11 ms → 5.00 ms, −55 % (95 %: −60 % to −49 %), better" in shown
    assert "(12 pairs of turns of 9 s)" in shown


def test_nothing_shown_is_an_answer() -> None:
    unclear = replace(EFFECT, better=False, ratio=Interval(0.9, 1.0, 1.1))
    tried = Tried(DELAY, Verdict(Answer.NOTHING_SHOWN, (unclear,)), PLAN)
    assert text(outcome(tried)).startswith("No change proved to help.")
    assert "not shown to differ" in text(outcome(tried))


def test_what_was_not_watched_and_is_not_known_is_named() -> None:
    shown = text(outcome(ending=Ending.ONLY_WATCHED))
    assert shown.startswith("Nothing was changed: this run only watched.")
    assert "lag not applicable; latency 50 ms, acted on at 42 ms" in shown
    assert "memory not watched" in shown
    assert "! cpu is unknown: the servers do not run on this machine" in shown
    assert "11.0% or more in 30 min, none in 4 h" in shown


def test_a_touched_limit_says_how_soon_the_former_values_were_restored() -> None:
    touched = Tried(DELAY, Verdict(Answer.LIMIT_TOUCHED, (), "latency: p95 60 ms"), PLAN, 0, 0.4)
    assert "came too close to a limit; the former values were restored after 0.4 s: latency: p95 60 ms" in text(
        outcome(touched)
    )


def test_json_has_everything_and_null_for_what_is_unknown() -> None:
    infinite = replace(EFFECT, ratio=Interval(0.4, 0.45, math.inf))
    found = outcome(
        replace(HELPFUL, verdict=Verdict(Answer.HELPS, (infinite,))), Tried(DELAY, Verdict(Answer.NOT_TRIED))
    )
    data = json.loads(outcome_as_json(found))
    assert data["schema"] == "advisor/tune-live/1"
    assert data["recommended"] == [{"settings": dict(DELAY.changed), "former": dict(DELAY.former)}]
    assert data["tried"][0]["effects"][0]["ratio"] == {"low": 0.4, "mid": 0.45, "high": None}
    assert data["tried"][1]["answer"] == "not_tried"
    assert data["tried"][1]["pairs"] is None
    assert data["limits"]["lag"]["state"] == "not_applicable"
    assert data["limits"]["memory"]["state"] == "given_up"
    assert data["watch"]["detectable"][1]["change"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--live", "--threads", "4"], "--threads cannot be combined with --live"),
        (["--live", "--trials", "9"], "--trials cannot be combined with --live"),
        (["--keep", "--trials", "9"], "--keep needs --live"),
        (["--live", "--give-up", "safety"], "--give-up safety: there is no such limit"),
        (["--live", "--error-bound", "200%"], "--error-bound 200%: not a share between 0 and 1"),
        (["--live", "--for", "30m", "--watch-for", "1h"], "--watch-for must be shorter than --for"),
        (["--live", "--dry-run", "--keep"], "--dry-run only watches"),
    ],
)
def test_what_does_not_go_together_is_refused(words: list[str], message: str, tmp_path) -> None:
    file = tmp_path / "cluster.yaml"
    file.write_text(
        "format: 1\nname: shop\ntopology: standalone\nserver: mysql-8.4.5\nuser: root\npassword_file: client.cnf\n"
        "members:\n- {name: m1, role: standalone, host: db1.example, port: 3306}\n"
    )
    done = CliRunner().invoke(build_app(["tune"]), ["tune", "--cluster", str(file), *words])
    assert isinstance(done.exception, UsageError), done.output
    assert message in done.exception.message


@pytest.mark.parametrize(("written", "share"), [("5%", 0.05), ("0.05", 0.05), (0.05, 0.05), ("100%", 1.0)])
def test_a_share_is_written_as_percent_or_as_a_fraction(written: str | float, share: float) -> None:
    assert parse_share("--error-bound", written) == pytest.approx(share)
