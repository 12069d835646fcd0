"""`make site`: every rule and option has a page, every link leads somewhere, nothing is fetched from elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from advisor.check import load_rules

pytestmark = pytest.mark.gate


class Page(HTMLParser):
    """The links of a page, what it loads, and the places in it that links can lead to."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what is of interest of a tag."""
        values = dict(attrs)
        self.places |= {values[key] or "" for key in ("id", "name") if key in values}
        if tag == "a" and "href" in values:
            self.links.add(values["href"] or "")
        elif tag == "link" and values.get("rel") != "canonical":
            self.loads.add(values.get("href") or "")
        if values.get("src"):
            self.loads.add(values["src"] or "")


@pytest.fixture(scope="module")
def site(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run(
        [sys.executable, "scripts/build_site.py", str(folder)],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Every page by its path in the site."""
    return {str(file.relative_to(site)): Page(file) for file in site.rglob("*.html") if file.name != "404.html"}


def test_every_page_rule_and_option_is_there_and_can_be_searched(
    site: Path, pages: dict[str, Page], checkout: Path
) -> None:
    wanted = {f"docs/rules/{rule.id}" for rule in load_rules()}
    wanted |= {f"docs/{page.stem}" for page in (checkout / "docs").glob("*.md") if page.stem != "README"}
    wanted |= {f"docs/options/{name}" for name in ("sync_binlog", "innodb_log_file_size", "galera.gcs.fc_limit")}
    assert sorted(path for path in wanted if f"{path}/index.html" not in pages) == []
    assert sum(path.startswith("docs/options/") for path in pages) > 1900
    searched = {item["location"].partition("#")[0] for item in json.loads((site / "search.json").read_text())["items"]}
    assert sorted(path for path in wanted if f"{path}/" not in searched) == []


def test_every_link_leads_somewhere(site: Path, pages: dict[str, Page]) -> None:
    dead = []
    for path, page in pages.items():
        for link in page.links | page.loads:
            address = urlsplit(link)
            if address.scheme or address.netloc:
                continue
            target = (
                os.path.normpath(os.path.join(os.path.dirname(path), unquote(address.path))) if address.path else path
            )
            if (site / target).is_dir():
                target = os.path.normpath(os.path.join(target, "index.html"))
            found = (site / target).exists()
            if not found or (address.fragment and unquote(address.fragment) not in pages[target].places):
                dead.append(f"{path}: {link}")
    assert dead == []


def test_nothing_is_fetched_from_elsewhere(pages: dict[str, Page]) -> None:
    assert {address for page in pages.values() for address in page.loads if urlsplit(address).netloc} == set()
