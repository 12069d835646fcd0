"""How do the pages become a site? Stages every page, with one for each rule and option, and runs Zensical.

`build_site.py FOLDER` writes the site into the folder. The build fails when a link between pages leads nowhere.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from advisor.catalog import all_releases, load
from advisor.check import load_rules
from advisor.cli.explain.option import explain_option
from advisor.report.rules.option_markdown import option_page, options_index
from advisor.report.rules.rule_page import index_page, rule_page

CHECKOUT = Path(__file__).resolve().parents[1]
SETTINGS = Path(__file__).with_name("site")
REPOSITORY = "https://github.com/advisor/advisor/tree/main"
_LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)


def pages() -> list[Path]:
    """Every page that is kept, relative to the checkout."""
    found = [*CHECKOUT.glob("*.md")]
    for folder in ("docs", "benchmarks", "experiments"):
        found += CHECKOUT.glob(f"{folder}/**/*.md")
    return sorted(page.relative_to(CHECKOUT) for page in found)


def stage(folder: Path) -> None:
    """Copy the pages and the files that they link to, and write the pages of rules and options."""
    kept = pages()
    for page in kept:
        write(folder / page, _with_staged_links(page, folder))
    rules = load_rules()
    write(folder / "docs/rules/README.md", index_page(rules))
    for rule in rules:
        write(folder / f"docs/rules/{rule.id}.md", rule_page(rule))
    names = option_names()
    for name in names:
        write(folder / f"docs/options/{name}.md", option_page(explain_option(name, None, (), rules)))
    write(folder / "docs/options/README.md", options_index(names))


def option_names() -> list[str]:
    """Every option of every release, and those of the Galera provider."""
    names = {name for release in all_releases() for name in load(release).names()}
    return sorted(names | {f"galera.{name}" for release in all_releases() for name in load(release).default_galera()})


def write(file: Path, text: str) -> None:
    """Write a file, and the folders it needs."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def navigation() -> Iterator[str]:
    """Lines of the configuration: the pages in the order in which docs/README.md names them."""
    start = (CHECKOUT / "docs/README.md").read_text(encoding="utf-8")
    linked = [os.path.normpath(Path("docs", target)) for target, _ in _LINK.findall(start) if target.endswith(".md")]
    every = [str(page) for page in pages() if page.parent == Path("docs")]
    guides = dict.fromkeys([page for page in linked if page in every] + every)
    guides.pop("docs/README.md")
    yield "nav = ["
    yield '  { "Overview" = "README.md" },'
    yield '  { "Where to start" = "docs/README.md" },'
    yield '  { "Rules" = "docs/rules/README.md" },'
    yield '  { "Options" = "docs/options/README.md" },'
    yield '  { "Guides" = ['
    yield from (f'    {{ "{_title(page)}" = "{page}" }},' for page in guides)
    yield "  ] },"
    yield '  { "Changelog" = "CHANGELOG.md" },'
    yield '  { "Contributing" = "CONTRIBUTING.md" },'
    yield "]"


def build(target: Path) -> int:
    """Stage and build; the exit code of the generator."""
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        stage(top / "pages")
        shutil.copytree(SETTINGS / "pages", top / "pages", dirs_exist_ok=True)
        settings = (SETTINGS / "zensical.toml").read_text(encoding="utf-8")
        write(top / "zensical.toml", settings.replace("# navigation\n", "\n".join(navigation()) + "\n"))
        program = Path(sys.executable).with_name("zensical")
        done = subprocess.run(
            [program, "build", "--clean", "--strict"],
            cwd=top,
            env={**os.environ, "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            print(done.stdout + done.stderr, file=sys.stderr)
            return done.returncode
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(top / "site", target)
    return 0


def _with_staged_links(page: Path, folder: Path) -> str:
    """The text of a page. Files that it links to are copied; a link to a folder leads to the repository."""

    def staged(match: re.Match[str]) -> str:
        target = os.path.normpath(page.parent / match[1])
        source = CHECKOUT / target
        if source.is_dir() and not (source / "README.md").exists():
            return f"]({REPOSITORY}/{target})"
        if source.is_file() and source.suffix != ".md":
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / target)
        return match[0]

    return _LINK.sub(staged, (CHECKOUT / page).read_text(encoding="utf-8"))


def _title(page: str) -> str:
    found = _TITLE.search((CHECKOUT / page).read_text(encoding="utf-8"))
    return (found[1] if found else page).replace('"', "'").replace("`", "")


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1])))
