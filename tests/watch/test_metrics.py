"""Metrics for Prometheus: what is served, what is left out, and that the dashboard asks for nothing else."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import urllib.request
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from advisor.errors import UsageError
from advisor.watch.metrics import Listen, Metrics, parse_listen, serving
from tests.watch.seconds import at

EXAMPLES = "examples/watch"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def families(metrics: Metrics) -> dict[str, dict[tuple[str, ...], float]]:
    """What a scrape gives: metric → labels → value."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in metrics.collect():
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return found


def two_seconds() -> Metrics:
    metrics = Metrics()
    metrics.take(at(0))
    metrics.take(at(2, applied_per_second=None))
    return metrics


def test_figures_are_those_of_the_newest_second_and_what_is_unknown_is_left_out() -> None:
    found = families(two_seconds())
    assert found["advisor_committed_per_second"] == {("db1:3306",): 812.4}
    assert "advisor_applied_per_second" not in found
    assert found["advisor_lag_milliseconds"] == {("db2:3306",): 7500.0}
    assert found["advisor_backlog_transactions"] == {("db2:3306",): 5210.0}
    assert found["advisor_first_cause_confidence"] == {("applier_serial", "db2:3306"): 0.81}
    assert found["advisor_sustained_per_second"] == {(): 640.0}
    assert found["advisor_member_up"] == {("db1:3306", "source"): 1.0, ("db2:3306", "replica"): 1.0}
    assert found["advisor_recording"] == {(): 1.0}


def test_a_state_that_is_unknown_is_left_out() -> None:
    metrics = Metrics()
    metrics.take(at(0, state="RECOVERING", throttled_share=0.25))
    found = families(metrics)
    assert found["advisor_member_impaired"] == {("db2:3306", "RECOVERING"): 1.0}
    assert found["advisor_throttled_share"] == {("db2:3306",): 0.25}
    metrics.take(at(1, state=""))
    assert families(metrics)["advisor_member_impaired"] == {("db2:3306", ""): 0.0}


def test_the_time_of_threads_adds_up() -> None:
    spent = families(two_seconds())["advisor_thread_seconds_total"]
    assert spent[("db1:3306", "writers", "redo_sync")] == pytest.approx(5.5 * 2)
    assert spent[("db2:3306", "appliers", "commit_order")] == pytest.approx(3.0 * 2)


def test_a_scrape_is_in_the_text_format() -> None:
    port = free_port()
    with (
        serving(two_seconds(), Listen("127.0.0.1", port)),
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as reply,
    ):
        text = reply.read().decode()
        with pytest.raises(UsageError, match="in use"), serving(Metrics(), Listen("127.0.0.1", port)):
            pass
    parsed = {family.name for family in text_string_to_metric_families(text)}
    assert {"advisor_member_up", "advisor_thread_seconds", "advisor_ring_bytes"} <= parsed
    assert not list(Metrics().collect()), "nothing before the first second"
    CollectorRegistry(auto_describe=False).register(Metrics())


@pytest.mark.parametrize(
    ("text", "listen"),
    [("127.0.0.1:9105", Listen("127.0.0.1", 9105)), ("[::1]:9105", Listen("::1", 9105)),
     ("db-watch.example:80", Listen("db-watch.example", 80))],
)  # fmt: skip
def test_an_address_is_a_host_with_a_port(text: str, listen: Listen) -> None:
    assert parse_listen(text) == listen


@pytest.mark.parametrize("text", ["9105", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", "http://127.0.0.1:9105"])
def test_any_other_address_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not an address with a port"):
        parse_listen(text)


def test_the_dashboard_asks_only_for_metrics_that_there_are(checkout: Path) -> None:
    dashboard = json.loads((checkout / EXAMPLES / "grafana-dashboard.json").read_text(encoding="utf-8"))
    metrics = Metrics()
    metrics.take(at(0, committed_per_second=0.0))
    metrics.take(at(2, state="", throttled_share=0.0, throttled_clients=0.0, conflicts_per_second=0.0))
    known = {sample.name for family in metrics.collect() for sample in family.samples}
    asked = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"advisor_\w+", target["expr"])
    }
    variables = {name for each in dashboard["templating"]["list"] for name in re.findall(r"advisor_\w+", str(each))}
    assert len(asked) > 8
    assert asked | variables <= known
    defined = {each["name"] for each in dashboard["templating"]["list"]}
    used = set(re.findall(r"\$\{?(\w+)\}?", json.dumps(dashboard["panels"])))
    assert used == defined


def test_the_dashboard_fits_the_schema_of_grafana(checkout: Path) -> None:
    """Grafana's own models read it, and write the same again: no key is unknown to them, and none has another type."""
    from grafana_foundation_sdk.cog import plugins
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.models.dashboard import Dashboard

    plugins.register_default_plugins()
    written = json.loads((checkout / EXAMPLES / "grafana-dashboard.json").read_text(encoding="utf-8"))
    again = json.loads(JSONEncoder().encode(Dashboard.from_json(written)))
    assert not list(lost(written, again, ""))
    numbers = [panel["id"] for panel in written["panels"]]
    assert len(numbers) == len(set(numbers))
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in written["panels"])
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells)), "no panel covers another"
    assert max(x for x, _ in cells) < 24


def lost(one: object, other: object, path: str) -> list[str]:
    """The places at which the second has not what the first has."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [each for key in one for each in lost(one[key], other.get(key), f"{path}/{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            each for number, pair in enumerate(zip(one, other, strict=True)) for each in lost(*pair, f"{path}/{number}")
        ]
    return [] if one == other else [path]


@pytest.mark.gate
def test_the_unit_is_what_systemd_accepts(checkout: Path, tmp_path: Path) -> None:
    systemd = shutil.which("systemd-analyze")
    if systemd is None:
        pytest.skip("no systemd-analyze on this machine")
    unit = checkout / EXAMPLES / "advisor-watch@.service"
    good = tmp_path / "advisor-watch@shop.service"
    shutil.copy(unit, good)
    bad = tmp_path / "advisor-bad@shop.service"
    bad.write_text(unit.read_text().replace("Type=exec", "Type=whatever").replace("ExecStart=", "ExecStrat="))
    found = [
        subprocess.run([systemd, "verify", str(each)], capture_output=True, text=True, check=False)
        for each in (good, bad)
    ]
    assert (found[0].returncode, found[0].stderr) == (0, "")
    assert found[1].returncode or found[1].stderr
