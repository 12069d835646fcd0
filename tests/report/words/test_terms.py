"""The words of reports: found in texts, each explained once, in words that need no other entry."""

from __future__ import annotations

from advisor.report.html.prose import Prose
from advisor.report.words.terms import load_terms, split, terms_in


def test_terms_are_found_as_whole_words_in_any_case_and_the_longest_wins() -> None:
    assert [piece for piece, term in split("Redo log and redo logic") if term] == ["Redo log"]
    assert dict(terms_in("the SYNC of a worker")).keys() == {"fsync", "worker"}
    assert terms_in("flow_control, re-sync") == []


def test_pieces_put_together_are_the_text() -> None:
    text = "Flow control: the backlog, the lag; write sets."
    assert "".join(piece for piece, _ in split(text)) == text


def test_no_two_terms_share_a_spelling_and_every_meaning_is_a_sentence() -> None:
    spellings = [spelling.lower() for term in load_terms() for spelling in (term.word, *term.also)]
    assert len(spellings) == len(set(spellings))
    assert all(term.means.endswith(".") for term in load_terms())


def test_only_the_first_use_leads_to_the_explanation() -> None:
    prose = Prose()
    assert prose("lag").startswith("<a ")
    assert prose("lag & lag") == "lag &amp; lag"
    glossary = prose.glossary()
    assert glossary is not None
    assert 'id="term-lag"' in glossary
    assert Prose().glossary() is None
