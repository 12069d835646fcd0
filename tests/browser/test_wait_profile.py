"""The wait profile in a real browser: bars that are whole, shares that can be read, a table with everything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.model.diagnosis import ClassShare, ThreadProfile, Threads, WaitGroup
from advisor.model.record import replace
from advisor.report.why import html
from tests.browser.driving import Browser, Page
from tests.browser.pages import LONG
from tests.report.diagnosed import PROFILE, diagnosis

WIDTHS = [(390, True), (768, False), (1280, False)]
# Each just large enough for its share to be written on it.
NARROW = ThreadProfile(
    LONG,
    Threads.WRITERS,
    1234.5,
    3,
    (
        *(ClassShare(f"c{at}", f"A class with quite a long name {at}", 0.1, (), about)
          for at, about in enumerate(WaitGroup) if about is not WaitGroup.UNEXPLAINED),
        ClassShare("unexplained", "Not explained", 0.12, ("a state",), WaitGroup.UNEXPLAINED),
        ClassShare("nine", "The smallest that has its share on it", 0.08, (), WaitGroup.LOG),
    ),
    0.12,
)  # fmt: skip
CUT = """[...document.querySelectorAll(".stack b, .stack span")].filter(each => {
  const [text, segment] = [each.getBoundingClientRect(), each.closest(".stack > div").getBoundingClientRect()];
  const range = document.createRange();
  range.selectNodeContents(each);
  const wide = each.matches("b") && range.getBoundingClientRect().right > segment.right + .5;
  return wide || text.bottom > segment.bottom + .5;
}).map(each => each.textContent)"""
GAPS = """[...document.querySelectorAll(".stack")].map(bar => {
  const [whole, last] = [bar.getBoundingClientRect(), bar.lastElementChild.getBoundingClientRect()];
  return Math.abs(whole.right - last.right);
})"""
NAMES = """[...document.querySelectorAll(".stacked-row")].map(row =>
  [...row.querySelectorAll(".stack-names li, .stack span")]
    .filter(each => each.getClientRects().length).map(each => each.textContent))"""


@pytest.fixture
def profiled(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    path = tmp_path / "profiled.html"
    path.write_text(html.render(replace(diagnosis(), profile=(*PROFILE, NARROW))), encoding="utf-8")
    with browser.opened(path) as page:
        yield page


@pytest.mark.parametrize(("width", "phone"), WIDTHS)
def test_bars_are_whole_and_every_share_on_them_can_be_read(profiled: Page, width: int, phone: bool) -> None:
    profiled.shape(width, 844, phone=phone)
    assert profiled.run("document.querySelectorAll('.stack').length") == 3
    assert max(profiled.run(GAPS)) <= 1
    assert profiled.run(CUT) == []
    assert profiled.said == []


@pytest.mark.parametrize(("width", "phone"), WIDTHS)
def test_each_large_class_is_named_once(profiled: Page, width: int, phone: bool) -> None:
    profiled.shape(width, 844, phone=phone)
    writers, appliers, narrow = profiled.run(NAMES)
    for names, said in ((writers, "Held back by flow control"), (appliers, "Writes and syncs the binary log")):
        assert sum(said in name for name in names) == 1
        assert sum("unexplained" in name for name in names) >= 1, "below the bar, whatever its size"
    assert len(narrow) == 10


def test_the_names_are_on_the_bar_where_it_is_wide(profiled: Page) -> None:
    shown = "[...document.querySelectorAll('.stack span')].filter(each => each.getClientRects().length).length"
    profiled.shape(1280)
    assert profiled.run(shown) > 0
    profiled.shape(390, 844, phone=True)
    assert profiled.run(shown) == 0


def test_the_table_is_folded_and_has_every_share(profiled: Page) -> None:
    assert profiled.run("document.querySelector('#profile ~ .card details').open") is False
    assert profiled.run("document.querySelectorAll('#profile ~ .card tbody tr').length") == 4 + 3 + 1 + 10
    assert profiled.run("document.querySelector('.stack').role") == "img"


def test_a_further_hypothesis_leads_to_its_evidence(profiled: Page) -> None:
    profiled.run("document.querySelector('a[href=\"#cause-network_latency\"]').click()")
    profiled.settle()
    assert profiled.run("document.querySelector('#cause-network_latency').getClientRects().length") == 1
