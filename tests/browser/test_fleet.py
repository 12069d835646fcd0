"""The report on a fleet in a real browser: its map, and the search over all rows."""

from __future__ import annotations

from pathlib import Path

from advisor.fleet.summary import fleet_report
from advisor.model.fleet.report import FleetFinding, FleetServer
from advisor.model.rules import Rule, Severity
from advisor.report.fleet.html import render
from tests.browser.driving import Browser

RULES = [
    Rule(name, f"the title of {name}", area, severity, "", "", "", ())
    for name, area, severity in (("one-rule", "binlog", Severity.CRITICAL), ("another-rule", "redo", Severity.INFO))
]
SHOWN = "document.querySelectorAll('.searched tbody tr:not([hidden])').length"
SEARCH = """((text) => { const field = document.getElementById('search');
  field.value = text; field.dispatchEvent(new Event('input'));
  return new Promise(done => setTimeout(() => done(document.getElementById('found').textContent), 400)); })"""


def test_the_search_shows_the_rows_with_all_words_and_nothing_is_fetched(browser: Browser, tmp_path: Path) -> None:
    servers = [
        FleetServer(f"cluster{at % 5}", f"db{at:02}", "", "mysql 8.4.8", None, (FleetFinding(rule.id, rule.severity),))
        for at in range(40)
        for rule in [RULES[at % 2]]
    ]
    path = tmp_path / "fleet.html"
    path.write_text(render(fleet_report(servers, RULES)), encoding="utf-8")
    with browser.opened(path) as page:
        page.shape(1200)
        assert page.run(SHOWN) == 40 + 5 + 2
        assert page.run(f"{SEARCH}('db07 CLUSTER2')") == "1 of 47 rows"
        assert page.run(SHOWN) == 1
        assert page.run(f"{SEARCH}('')") == ""
        assert page.run(SHOWN) == 47
        page.shape(390, phone=True)
        assert page.run("document.documentElement.scrollWidth") <= 390
        assert page.said == []
        assert [url for url in page.requests if not url.startswith("file:")] == []
