"""Which form of evidence can tell which cause, and if one cannot, why? Cases, kept plays, rules/evidence_forms.yaml."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from advisor.data import folder, read_yaml
from advisor.model.diagnosis import Cause
from advisor.model.record import record
from advisor.why.rules.forms_of_cases import CauseForms, Form, forms_of_cause
from advisor.yaml_shapes import listed, mapping, refuse_unknown, require, texts, word_of

_FILE: Final = "evidence_forms.yaml"
_OF_A_FORM: Final = ("head", "mark", "title", "holds", "lacks")
_OF_A_SENTENCE: Final = ("forms", "causes", "says")
_PLAYED: Final = (Form.LIVE, Form.BUNDLE)  # every kept play was read live and as a bundle


@record
class FormText:
    """What a form is, in words. `head`: of its column. `mark`: how the marks of its sentences begin."""

    form: Form
    head: str
    mark: str
    title: str
    holds: str
    lacks: str


@record
class Sentence:
    """Why these forms cannot tell these causes; `mark` is what their cells show."""

    mark: str
    forms: tuple[Form, ...]
    causes: tuple[str, ...]
    says: str


@record
class CauseMatrix:
    """Causes × forms: the cases of each cell, or the sentence of one that has none."""

    forms: tuple[FormText, ...]
    rows: tuple[CauseForms, ...]
    sentences: tuple[Sentence, ...]
    plays: Mapping[str, tuple[str, ...]]

    def sentences_of(self, cause: str, form: Form) -> tuple[Sentence, ...]:
        """The sentences that stand for a cell: one where no case is, else none."""
        return tuple(each for each in self.sentences if cause in each.causes and form in each.forms)

    def problems(self) -> Iterator[str]:
        """What is wrong: a cell with neither case nor sentence, with both or with two, a name that is not a cause."""
        known = {row.cause for row in self.rows}
        named = {*self.plays, *(cause for sentence in self.sentences for cause in sentence.causes)}
        yield from (f"{name}: no such cause" for name in sorted(named - known))
        for row in self.rows:
            for form in Form:
                marks = [sentence.mark for sentence in self.sentences_of(row.cause, form)]
                if row.tells(form) and marks:
                    yield f"{row.cause}, {form}: has a case, but also a sentence ({', '.join(marks)})"
                elif not row.tells(form) and len(marks) != 1:
                    yield f"{row.cause}, {form}: has no case and {len(marks)} sentences"


def load_cause_matrix(causes: Sequence[Cause]) -> CauseMatrix:
    """The matrix of these causes; RuleError when the file of forms is wrong."""
    path = os.path.join(folder("rules"), _FILE)
    data = mapping(read_yaml(path), _FILE, path)
    refuse_unknown(data, ("forms", "plays", "cannot"), _FILE, path)
    forms = tuple(_form(form, mapping(data.get("forms"), "forms", path), path) for form in Form)
    plays = {
        cause: tuple(texts(names, cause, path)) for cause, names in mapping(data.get("plays"), "plays", path).items()
    }
    rows = tuple(_with_plays(forms_of_cause(cause), plays.get(cause.id, ())) for cause in causes)
    return CauseMatrix(forms, rows, tuple(_sentences(listed(data.get("cannot")), forms, path)), plays)


def _with_plays(row: CauseForms, plays: Sequence[str]) -> CauseForms:
    for _ in plays:
        row = row.with_answers(_PLAYED)
    return row


def _form(form: Form, data: Mapping[str, Any], path: str) -> FormText:
    texts_of_form = mapping(data.get(form), form, path)
    refuse_unknown(texts_of_form, _OF_A_FORM, form, path)
    require(texts_of_form, _OF_A_FORM, form, path)
    return FormText(form, **texts_of_form)


def _sentences(data: Sequence[Any], forms: Sequence[FormText], path: str) -> Iterator[Sentence]:
    """Numbered within their mark, which is that of their first form."""
    marks, last = {text.form: text.mark for text in forms}, dict[str, int]()
    for entry in data:
        item = mapping(entry, "cannot", path)
        refuse_unknown(item, _OF_A_SENTENCE, "cannot", path)
        require(item, _OF_A_SENTENCE, "cannot", path)
        of_forms = tuple(word_of(Form, word, "forms", path) for word in texts(item["forms"], "forms", path))
        letter = marks[of_forms[0]]
        last[letter] = last.get(letter, 0) + 1
        yield Sentence(f"{letter}{last[letter]}", of_forms, tuple(texts(item["causes"], "causes", path)), item["says"])
