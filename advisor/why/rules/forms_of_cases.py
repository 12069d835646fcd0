"""In which forms of evidence does all stand that a case of a cause gives? From them the cause can be told.

A form is what people hand over: access to the servers, a bundle, one process list, one InnoDB status, two SHOW STATUS,
an option file with observations, what was tried, or counters of a monitoring system. `forms_of` says for a case which
forms hold everything that it gives; `advisor/why/rules/case_results.py` proves that this is enough.

Settings go with every form. A bundle and a live reading hold whatever the server or its host shows, except that the
words of a single process list or InnoDB status are judged only where nothing was read over an interval. A case that
combines observations with counters or lists is in no form: neither of them alone is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import reduce
from typing import Any, Final

from advisor.data import read_documents
from advisor.errors import RuleError
from advisor.model.diagnosis import Cause
from advisor.model.record import field, record, replace
from advisor.why.rules.case_results import EXPECTED


class Form(StrEnum):
    """What people hand over, in the order of the matrix."""

    LIVE = "live"
    BUNDLE = "bundle"
    PROCESS_LIST = "process_list"
    INNODB_STATUS = "innodb_status"
    STATUS_TWICE = "status_twice"
    OBSERVATIONS = "observations"
    TRIED = "tried"
    MONITORING = "monitoring"


# What the usual agents of a host export. How long threads of the server ran or waited for a CPU is not among it.
MONITORED: Final = frozenset(
    "cpus cpu_util iowait disk_util swap_in_per_second swap_used_bytes memory_bytes link_mbit".split()
)
_COMPARED: Final = frozenset({"tried", "scaling"})
_READ: Final = (Form.LIVE, Form.BUNDLE)


@record
class Given:
    """What a case gives of all its members.

    `tables`: the names of tables and lists. `moments`: the most moments at which a table was read. `samples`: how often
    the counters were read.
    """

    settings: bool = False
    samples: int = 0
    tables: frozenset[str] = frozenset()
    moments: int = 0
    innodb_status: bool = False
    host: frozenset[str] = frozenset()
    observed: frozenset[str] = frozenset()


@record
class CauseForms:
    """How many cases of a cause are answers, and how many only candidates, by form."""

    cause: str
    answers: Mapping[Form, int] = field(default_factory=dict)
    candidates: Mapping[Form, int] = field(default_factory=dict)

    def tells(self, form: Form) -> bool:
        """Whether a case shows that this form is enough to name the cause."""
        return bool(self.answers.get(form, 0) + self.candidates.get(form, 0))

    def with_answers(self, forms: Sequence[Form]) -> CauseForms:
        """The same with one more answer in each of these forms."""
        counted = {form: self.answers.get(form, 0) + (form in forms) for form in Form}
        return replace(self, answers={form: number for form, number in counted.items() if number})


def forms_of_cause(cause: Cause) -> CauseForms:
    """The forms of the cases below the `---` line of a cause's file; a case that expects `none` tells nothing."""
    counted: dict[str, dict[Form, int]] = {expected: {} for expected in EXPECTED}
    for case in cases_of(cause):
        for form in forms_of(case):
            numbers = counted[case["expect"]]
            numbers[form] = numbers.get(form, 0) + 1
    return CauseForms(cause.id, counted["answer"], counted["candidate"])


def cases_of(cause: Cause) -> Iterator[dict[str, Any]]:
    """The cases of a cause's file; RuleError for one that expects nothing."""
    documents: Any = list(read_documents(cause.file))
    for case in documents[1] if len(documents) > 1 else ():
        if case.get("expect") not in EXPECTED:
            raise RuleError("a case needs `expect`", file=cause.file, hint=", ".join(EXPECTED))
        yield case


def forms_of(case: Mapping[str, Any]) -> tuple[Form, ...]:
    """Every form that holds all that a case gives, in the order of the matrix."""
    given = reduce(_together, map(_given, case["members"])) if "members" in case else _given(case)
    if given.observed:
        return _forms_of_people(given)
    if given.tables or given.innodb_status:
        return _forms_of_readings(given)
    if given.samples or given.host:
        return _forms_of_counters(given)
    return (Form.OBSERVATIONS,) if given.settings else ()


def _forms_of_people(given: Given) -> tuple[Form, ...]:
    """What was observed or tried. Figures of the host may be stated, too; a single counter may go with a comparison."""
    if given.tables or given.innodb_status or given.samples > 1:
        return ()
    if given.observed & _COMPARED:
        return (Form.TRIED,)
    return () if given.samples else (Form.OBSERVATIONS,)


def _forms_of_readings(given: Given) -> tuple[Form, ...]:
    """One list or one status alone is a form of its own; whatever else was read is in a bundle."""
    alone = not (given.samples or given.host) and given.moments <= 1
    if alone and given.tables == {"processlist"} and not given.innodb_status:
        return (Form.PROCESS_LIST,)
    if alone and not given.tables:
        return (Form.INNODB_STATUS,)
    return _READ


def _forms_of_counters(given: Given) -> tuple[Form, ...]:
    """Counters of two moments are two SHOW STATUS and a series of a monitoring system; figures of a host only that."""
    forms = [*_READ]
    if given.samples > 1 and not given.host:
        forms.append(Form.STATUS_TWICE)
    if given.samples != 1 and given.host <= MONITORED:
        forms.append(Form.MONITORING)
    return tuple(forms)


def _given(member: Mapping[str, Any]) -> Given:
    rows = dict(member.get("tables", {}))
    moments = [len({row.get("at", 0) for row in table}) for table in rows.values()]
    counted = len(member["samples"]) if "samples" in member else 2 if "rate" in member else int("status" in member)
    return Given(
        settings="my.cnf" in member or "variables" in member,
        samples=counted,
        tables=frozenset(rows) | ({"replica_status"} if "replica" in member else frozenset()),
        moments=max(moments, default=0),
        innodb_status="innodb_status" in member,
        host=frozenset(member.get("host", {})),
        observed=frozenset(name.partition(".")[0] for name in member.get("observed", {})),
    )


def _together(one: Given, other: Given) -> Given:
    return Given(
        settings=one.settings or other.settings,
        samples=max(one.samples, other.samples),
        tables=one.tables | other.tables,
        moments=max(one.moments, other.moments),
        innodb_status=one.innodb_status or other.innodb_status,
        host=one.host | other.host,
        observed=one.observed | other.observed,
    )
