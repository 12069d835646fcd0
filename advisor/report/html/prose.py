"""How does a reader learn what a word means? Its first use leads to the explanation at the end of the page."""

from __future__ import annotations

import re

from advisor.report.html.markup import Safe, breakable, join, tag
from advisor.report.words.terms import Term, split


class Prose:
    """Sentences of one page; remembers which terms were used."""

    def __init__(self) -> None:
        self._used: dict[str, Term] = {}

    def __call__(self, text: str) -> Safe:
        """A text in which terms that have not been used yet are links with their meaning as a tooltip."""
        return join([self._piece(piece, term) for piece, term in split(text)])

    def _piece(self, piece: str, term: Term | None) -> Safe:
        if term is None or term.word in self._used:
            return breakable(piece)
        self._used[term.word] = term
        return tag("a", piece, class_="term", href=f"#{_anchor(term)}", title=term.means)

    def glossary(self) -> Safe | None:
        """The terms used so far with their meanings; None when there were none."""
        if not self._used:
            return None
        terms = sorted(self._used.values(), key=lambda term: term.word.lower())
        rows = [tag("div", tag("dt", term.word), tag("dd", term.means), id=_anchor(term)) for term in terms]
        return tag("section", tag("h2", "Words used here"), tag("dl", *rows, class_="terms"), id="terms")


def _anchor(term: Term) -> str:
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.word.lower()).strip("-")
