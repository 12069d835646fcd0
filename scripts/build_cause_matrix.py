"""Write docs/cause-matrix.md from causes, kept plays and rules/evidence_forms.yaml; with --check say if it is stale."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from advisor.why.rules.cause_matrix import CauseMatrix, load_cause_matrix
from advisor.why.rules.forms_of_cases import CauseForms, Form
from advisor.why.rules.loader import load_causes

_PAGE = Path(__file__).parents[1] / "docs" / "cause-matrix.md"
_WIDTH = 110  # as of all prose (tests/test_docs.py)
_INTRODUCTION = """\
# Which evidence can identify which cause?

`advisor why` works with whatever evidence you have. The matrix on this page shows, for each cause
([rules/causes](../rules/causes/)) and each form of evidence, whether that form alone is enough.

A cell of the matrix has one of these marks:

* **✓ 3**: this form of evidence can identify the cause. In three tests, evidence of this form makes the cause
  an answer (confidence of 0.5 or more).

* **? 1**: this form of evidence only points to the cause. In one test, evidence of this form makes the cause
  a candidate (confidence below 0.5).

* **P4**: this form of evidence cannot identify the cause. The sentence with the same mark says why
  ([list of all sentences](#why-a-form-cannot-identify-a-cause)).

The tests are the cases below the `---` line of each cause's file. For live readings and bundles, the
recorded tests on real clusters in `benchmarks/diagnosis/plays/open` count as well. Whatever its form, a case
may also contain settings. A case that needs two forms together, such as counters and observations, counts for
neither form."""
_COUNTING = """\
Live readings and bundles contain the counters of two SHOW STATUS, so a case with two SHOW STATUS counts for
these forms too. A case that has counters but no figures about the host also counts for the monitoring system.
A case with one process list or one InnoDB status counts for that form only."""


def page(matrix: CauseMatrix) -> str:
    """The whole page."""
    cells = [row.tells(form) for row in matrix.rows for form in Form]
    tested, told = sum(cells), len(cells) - sum(cells)
    counted = fill(f"Of the {len(cells)} cells of the matrix, {tested} have a test and {told} a sentence.")
    parts = [
        _INTRODUCTION,
        "## The forms",
        "\n\n".join(_forms(matrix)),
        fill(_COUNTING.replace("\n", " "), _WIDTH),
        "## The matrix",
        counted,
        "\n".join(_table(matrix)),
        "## Why a form cannot identify a cause",
        "\n\n".join(_sentences(matrix)),
    ]
    return "\n\n".join(parts) + "\n"


def _forms(matrix: CauseMatrix) -> Iterator[str]:
    for text in matrix.forms:
        line = f"* **{text.head}**: {text.title}. Contains {text.holds}. Lacks {text.lacks}."
        yield fill(line, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _table(matrix: CauseMatrix) -> list[str]:
    """Padded, so that it can be read as text, too."""
    rows = [["cause", *(text.head for text in matrix.forms)]]
    rows += [[row.cause, *(_cell(matrix, row, form) for form in Form)] for row in matrix.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def _cell(matrix: CauseMatrix, row: CauseForms, form: Form) -> str:
    if answers := row.answers.get(form, 0):
        return f"✓ {answers}"
    if candidates := row.candidates.get(form, 0):
        return f"? {candidates}"
    return ", ".join(sentence.mark for sentence in matrix.sentences_of(row.cause, form))


def _sentences(matrix: CauseMatrix) -> Iterator[str]:
    heads = {text.form: text.head for text in matrix.forms}
    for sentence in matrix.sentences:
        line = f"* **{sentence.mark}** ({', '.join(heads[form] for form in sentence.forms)}): {sentence.says}"
        yield fill(line, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def main() -> None:
    """Write or check."""
    matrix = load_cause_matrix(load_causes())
    if problems := list(matrix.problems()):
        sys.exit("\n".join(problems))
    wanted = page(matrix)
    stale = not _PAGE.exists() or _PAGE.read_text(encoding="utf-8") != wanted
    if "--check" in sys.argv:
        sys.exit(f"stale: docs/{_PAGE.name}; run `make docs`" if stale else 0)
    _PAGE.write_text(wanted, encoding="utf-8")
    print(f"docs/{_PAGE.name} {'written' if stale else 'is up to date'}")


if __name__ == "__main__":
    main()
