"""Is this the plain `advisor check FILE…`, which needs no parser of options?

Importing Typer takes as long as everything else in such a run (60 of 120 ms), and editors, hooks and pipelines repeat
this run. So paths, --server and --format are parsed here; a line with anything else, mistakes included, goes to Typer.
Both do the same: tests/cli/check/test_fast_path.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.annotations import TYPE_CHECKING
from advisor.model.record import record

if TYPE_CHECKING:
    from advisor.cli.check.output import CheckFormat


@record
class PlainCheck:
    """The arguments of a plain command line."""

    paths: tuple[str, ...]
    server: str
    form: CheckFormat


def plain_check(words: Sequence[str]) -> PlainCheck | None:
    """The arguments; None when the line needs Typer."""
    if words[:1] != ["check"]:
        return None
    from advisor.cli.check.output import CheckFormat

    given = {"--server": "", "--format": "text"}
    paths: list[str] = []
    rest = iter(words[1:])
    for word in rest:
        name, equals, value = word.partition("=")
        if name in given:
            value = value if equals else next(rest, "")
            if not value or value.startswith("-"):
                return None
            given[name] = value
        elif not word or word.startswith("-"):
            return None
        else:
            paths.append(word)
    if not paths or given["--format"] not in tuple(CheckFormat) or given["--format"] == CheckFormat.HTML:
        return None
    return PlainCheck(tuple(paths), given["--server"], CheckFormat(given["--format"]))


def run(plain: PlainCheck) -> int:
    """Judge and write the report; the exit code."""
    from advisor.cli.check import output
    from advisor.cli.check.run import CheckRequest, exit_code_of, judge

    result = judge(CheckRequest(plain.paths, plain.server))
    output.write_report(result.judgements, output.Presentation(plain.form))
    return exit_code_of(result, None, strict=False)
