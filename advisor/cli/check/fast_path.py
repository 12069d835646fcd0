"""Is this the plain `advisor check FILE…`, which needs no parser of options?

Importing Typer takes as long as everything else that such a run does (60 of 120 ms), and this is the run that editors,
hooks and pipelines repeat. So paths, --server and --format are understood here; whatever else stands on the line, a
mistake first of all, is Typer's. Both do the same: tests/cli/check/test_fast_path.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.cli.shared.formats import CheckFormat
from advisor.model.record import record


@record
class PlainCheck:
    """What a plain line says."""

    paths: tuple[str, ...]
    server: str = ""
    form: CheckFormat = CheckFormat.TEXT


def plain_check(words: Sequence[str]) -> PlainCheck | None:
    """What the line says; None when it is for Typer."""
    if words[:1] != ["check"]:
        return None
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
    if not paths or given["--format"] not in tuple(CheckFormat):
        return None
    return PlainCheck(tuple(paths), given["--server"], CheckFormat(given["--format"]))


def run(asked: PlainCheck) -> int:
    """Judge and show; the exit code."""
    from advisor.cli.check import output
    from advisor.cli.check import run as judging
    from advisor.cli.shared.terminal import Colour

    outcome = judging.judge(judging.Asked(asked.paths, asked.server))
    output.present(outcome.judgements, asked.form, Colour.AUTO, 0, 0)
    return judging.code(outcome, None, strict=False)
