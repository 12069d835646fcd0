"""Every page as its reader sees it, on a desktop and on a phone: whole words, ticks, legends, marks with names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.driving import Browser, Page
from tests.browser.pages import benched, diagnosed, experimented, tuned, tuned_group

WIDTHS = [(390, True), (1280, False)]
# Words of table heads and names of rows that stand on more than one line; names may break after an underscore or a dot.
BROKEN = """(() => {
  const broken = [];
  for (const cell of document.querySelectorAll("th, .label, h1, h2, h3, h4, dt, figcaption")) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      for (const { 0: word, index } of node.data.matchAll(/[^\\s_.=-]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].filter(box => box.width).map(box => Math.round(box.top)));
        if (lines.size > 1) broken.push(word);
      }
    }
  }
  return broken;
})()"""
CUT = """[...document.querySelectorAll(".wide")].filter(place => place.querySelector(".stacked")
  && place.scrollWidth > place.clientWidth).map(place => place.ariaLabel)"""
TICKS = """[...document.querySelectorAll(".plot")].map(place => [place.dataset.chart, place.dataset.ticks])"""
LEGENDS = """[...document.querySelectorAll("figure.chart")].map(figure => [
  figure.querySelectorAll("canvas").length, figure.querySelectorAll(".legend button").length,
  figure.querySelectorAll(".legend :is(.swatch, svg.mark)").length, figure.querySelectorAll("details table").length])"""


@pytest.fixture(
    scope="module", params=[diagnosed, benched, tuned, tuned_group, experimented], ids=lambda made: str(made.__name__)
)
def report(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """A report, open in a tab."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(request.param(), encoding="utf-8")
    with browser.opened(path) as page:
        yield page


@pytest.mark.parametrize(("width", "phone"), WIDTHS)
def test_no_word_of_a_heading_or_a_name_is_broken(report: Page, width: int, phone: bool) -> None:
    report.shape(width, 844, phone=phone)
    report.run("document.querySelectorAll('details').forEach(one => { one.open = true })")
    report.settle()
    assert report.run(BROKEN) == []


@pytest.mark.parametrize(("width", "phone"), WIDTHS)
def test_every_axis_has_three_ticks_or_a_name_for_each_row(report: Page, width: int, phone: bool) -> None:
    report.shape(width, 844, phone=phone)
    ticks = report.run(TICKS)
    assert ticks
    rows = {"finalists": 1}  # as many as it has finalists
    for chart, counts in ticks:
        x, y = map(int, counts.split())
        assert x >= 3, chart
        assert y >= rows.get(chart, 3), chart


def test_every_chart_has_one_canvas_a_legend_with_marks_and_its_figures_as_a_table(report: Page) -> None:
    legends = report.run(LEGENDS)
    assert legends
    for canvases, entries, marks, tables in legends:
        assert canvases == 1
        assert entries == marks >= 1
        assert tables >= 1


def test_on_a_phone_rows_become_lists_and_nothing_is_cut(report: Page) -> None:
    report.shape(390, 844, phone=True)
    report.run("document.querySelectorAll('details').forEach(one => { one.open = true })")
    report.settle()
    assert report.run(CUT) == []
    stacked = "[...document.querySelectorAll('.stacked td')].filter(cell => getComputedStyle(cell).display !== 'grid')"
    assert report.run(f"{stacked}.filter(cell => cell.textContent).length") == 0


@pytest.mark.parametrize(("width", "phone"), WIDTHS)
def test_the_answer_is_on_the_first_screen(report: Page, width: int, phone: bool) -> None:
    report.shape(width, 844, phone=phone)
    report.run("scrollTo(0, 0)")
    assert report.run("document.querySelector('h1').getBoundingClientRect().bottom") < 844
    assert report.run("document.querySelector('.lede').getBoundingClientRect().bottom") < 844


@pytest.fixture
def search(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A tuning run on a desktop, with its trials in sight."""
    path = tmp_path / "tuned.html"
    path.write_text(tuned(), encoding="utf-8")
    with browser.opened(path) as page:
        page.shape(1280)
        page.run("document.querySelector('#chart-lag').scrollIntoView({block: 'center', behavior: 'instant'})")
        page.settle()
        yield page


def test_colours_of_trials_are_explained(search: Page) -> None:
    names = search.run("[...document.querySelectorAll('#chart-lag .legend button')].map(each => each.textContent)")
    assert names == ["baseline", "within the limits", "outside a limit", "recommended (mean of the blocks)"]


def test_pointing_at_a_trial_says_which_one_it_is(search: Page) -> None:
    box = search.run("(({x, y, width, height}) => [x, y, width, height])"
                     "(document.querySelector('#chart-lag .u-over').getBoundingClientRect())")  # fmt: skip
    texts = set()
    for step in range(40):
        for share in (0.1, 0.15, 0.2):
            where = {"x": box[0] + box[2] * step / 40, "y": box[1] + box[3] * share}
            search.send("Input.dispatchMouseEvent", type="mouseMoved", **where)
            texts.add(search.run("document.querySelector('#chart-lag .reading').textContent"))
    assert any(text.startswith("trial ") and "tx/s, lag" in text for text in texts)
    assert "" in texts, "away from every mark nothing is said"


def test_a_group_that_is_hidden_says_so(search: Page) -> None:
    ink = "document.querySelector('#chart-lag canvas').toDataURL().length"
    before = search.run(ink)
    search.run("document.querySelectorAll('#chart-lag .legend button')[1].click()")
    search.settle()
    assert search.run("document.querySelectorAll('#chart-lag .legend button')[1].ariaPressed") == "false"
    assert search.run(ink) != before
