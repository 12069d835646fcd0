"""HTML reports in a real browser: drawn, zoomed, hidden, read on a phone, printed; and nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.driving import Browser, Page
from tests.browser.pages import benched, diagnosed, experimented, hostile, hostile_marks, tuned, tuned_for_latency
from tests.report.diagnosed import HOSTILE

PAGES = [diagnosed, benched, tuned, tuned_for_latency, experimented, hostile, hostile_marks]


@pytest.fixture(scope="module", params=PAGES, ids=lambda made: str(made.__name__))
def report(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """A report, open in a tab."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(request.param(), encoding="utf-8")
    with browser.opened(path) as page:
        yield page


INK = """(() => [...document.querySelectorAll("figure.chart canvas")].map(canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] === 255) colours.add(data[at] * 65536 + data[at + 1] * 256 + data[at + 2]);
  return colours.size;
}))()"""
WIDE = """[document.documentElement.scrollWidth, innerWidth,
  ...[...document.querySelectorAll("main *")].filter(e => !e.closest(".wide") && !e.closest(".uplot")
    && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 120))]"""


def test_every_chart_is_drawn_and_the_browser_complains_of_nothing(report: Page) -> None:
    figures = report.run("document.querySelectorAll('figure.chart').length")
    assert report.run("document.documentElement.dataset.charts") == str(figures)
    inks = report.run(INK)
    assert len(inks) == figures > 0
    assert min(inks) >= 3, "grid, words and a curve have colours of their own"
    assert report.said == []
    assert all(request.startswith("file:") for request in report.requests)


@pytest.mark.parametrize(("width", "phone"), [(390, True), (768, False), (1280, False)])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nothing_is_wider_than_the_window(report: Page, width: int, phone: bool, dark: bool) -> None:
    report.shape(width, 844, phone=phone, dark=dark)
    report.run("document.querySelectorAll('details').forEach(one => { one.open = true })")
    report.settle()
    whole, inner, *beyond = report.run(WIDE)
    assert beyond == []
    assert whole <= inner == width


DRAWN_FOR = """addEventListener("beforeprint", () => queueMicrotask(() => {
  const { width, height } = document.querySelector("canvas");
  const { data } = document.querySelector("canvas").getContext("2d").getImageData(0, 0, width, height);
  const used = new Set();
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3] === 255) used.add([data[at], data[at + 1], data[at + 2]].join());
  window.onPaper = [...used];
}))"""


SQUEEZED = """[...document.querySelectorAll("th, td")].filter(e => e.textContent.trim().length > 3
  && e.getBoundingClientRect().width > 0 && e.getBoundingClientRect().width < 24).map(e => e.textContent)"""


def test_tables_on_a_phone_are_scrolled_and_not_squeezed(report: Page) -> None:
    report.shape(390, 844, phone=True)
    assert report.run(SQUEEZED) == []


def test_a_report_prints_with_its_charts_in_the_colours_of_paper(report: Page) -> None:
    report.shape(1280, dark=True)
    report.run(DRAWN_FOR)
    pdf = report.pdf()
    colours = report.run("window.onPaper")
    assert "213,219,227" in colours, "grid lines on paper"
    assert "53,65,79" not in colours, "grid lines on a dark screen"
    assert pdf.startswith(b"%PDF")
    assert b"/Image" in pdf
    assert [said for said in report.said if "getImageData" not in said] == [], "but for what this test does itself"


def test_names_with_markup_in_them_are_shown_as_they_are(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "hostile.html"
    path.write_text(hostile(), encoding="utf-8")
    with browser.opened(path) as page:
        assert page.run("document.querySelectorAll('main script, main img').length") == 0
        assert page.run("document.querySelector('.legend button').textContent").startswith(f"{HOSTILE}0 {HOSTILE}")
        assert page.run("document.querySelector('#reply p').textContent") == HOSTILE
        page.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = 1\">')")
        page.settle()
        assert page.run("window.ran === undefined"), "the policy keeps what gets in from running"


@pytest.fixture
def charts(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The diagnosis on a desktop, its first chart in sight."""
    path = tmp_path / "report.html"
    path.write_text(diagnosed(), encoding="utf-8")
    with browser.opened(path) as page:
        page.shape(1280)
        page.run("document.querySelector('.u-over').scrollIntoView({block: 'center', behavior: 'instant'})")
        page.settle()
        yield page


def point(page: Page, share: float, kind: str = "mouseMoved", **more: object) -> None:
    """The mouse at a share of the first chart's width."""
    box = page.run("(({x, y, width, height}) => [x, y, width, height])"
                   "(document.querySelector('.u-over').getBoundingClientRect())")  # fmt: skip
    page.send("Input.dispatchMouseEvent", type=kind, x=box[0] + box[2] * share, y=box[1] + box[3] / 2, **more)
    page.settle()


def values(page: Page) -> list[str]:
    found: list[str] = page.run("[...document.querySelectorAll('.legend output')].map(each => each.textContent)")
    return found


def test_pointing_at_a_moment_shows_the_value_of_every_curve_in_every_chart(charts: Page) -> None:
    point(charts, 0.5)
    committed, applied, waiting = values(charts)
    assert 4000 <= float(committed.replace(",", "")) <= 8000
    assert 3000 <= float(applied.replace(",", "")) <= 6000
    assert waiting == "30,000", "the reading at 60 of 120 seconds"
    assert charts.run("document.querySelector('.time').textContent").startswith("at 60")


def test_a_gap_is_no_value(charts: Page) -> None:
    point(charts, 21 / 120)
    assert values(charts)[2] == "–"


def test_dragging_zooms_all_charts_and_a_button_shows_the_whole_again(charts: Page) -> None:
    before = charts.run(INK)
    point(charts, 0.25, "mousePressed", button="left", clickCount=1)
    point(charts, 0.5, button="left")
    point(charts, 0.5, "mouseReleased", button="left", clickCount=1)
    point(charts, 0.999)
    assert charts.run("document.querySelector('.time').textContent").startswith(("at 59", "at 60"))
    charts.run("document.querySelector('[aria-label=\"show the whole time\"]').click()")
    point(charts, 0.999)
    assert charts.run("document.querySelector('.time').textContent").startswith(("at 119", "at 120"))
    assert len(charts.run(INK)) == len(before)


def test_a_curve_can_be_hidden_by_keyboard_and_says_whether_it_is(charts: Page) -> None:
    charts.run("document.querySelector('.legend button').focus()")
    for kind in ("keyDown", "keyUp"):
        charts.send("Input.dispatchKeyEvent", type=kind, key=" ", code="Space", text=" ", windowsVirtualKeyCode=32)
    charts.settle()
    assert charts.run("document.querySelector('.legend button').ariaPressed") == "false"
    assert charts.run("getComputedStyle(document.querySelector('.legend button')).textDecorationLine") == "line-through"


def test_the_table_of_a_chart_holds_every_figure(charts: Page) -> None:
    charts.run("document.querySelector('details.figures').open = true")
    charts.settle()
    assert charts.run("document.querySelectorAll('details.figures table').length") == 3, "one more, of the first chart"
    assert charts.run("document.querySelectorAll('details.figures .wide:last-child tbody tr').length") >= 240


def test_every_control_has_a_name_and_every_chart_is_told_in_words(charts: Page) -> None:
    unnamed = "[...document.querySelectorAll('button, a')].filter(e => !(e.ariaLabel || e.textContent.trim())).length"
    assert charts.run(unnamed) == 0
    assert charts.run("document.querySelector('.plot').ariaLabel").startswith(
        "Transactions, per second, over time. Means:"
    )
    assert charts.run("document.documentElement.lang") == "en"
