"""A rule as data, and what judging it gives."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from advisor.model.evidence import Cluster, Fact
from advisor.model.record import field, record


class Severity(StrEnum):
    """How much it matters, weakest first."""

    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


class Verdict(StrEnum):
    """What judging a rule gives, worst first."""

    BROKEN = "broken"
    FINDING = "finding"
    UNKNOWN = "unknown"
    CLEAR = "clear"
    NOT_APPLICABLE = "not_applicable"


class Risk(StrEnum):
    """What a change may cost; the classes of docs/concepts.md. Only R0–R2 are ever applied unasked."""

    R0 = "R0"  # harmless
    R1 = "R1"  # trades latency or resources
    R2 = "R2"  # needs a restart, or replication stopped and started
    C = "C"  # read staleness, consistency
    D_OS = "D-os"  # loses commits when the operating system crashes
    D_PROC = "D-proc"  # loses commits even when only the server process crashes
    D_DIV = "D-div"  # binlog and engine, or members, may diverge after a crash
    X = "X"  # data corruption possible


class TakesEffect(StrEnum):
    """When a changed setting starts to count."""

    NO_CHANGE = "no_change"  # what is removed had no effect
    AT_ONCE = "at_once"
    NEW_SESSIONS = "new_sessions"
    RECONNECT = "reconnect"  # the receiver (IO) thread restarted
    APPLIER_RESTART = "applier_restart"  # the applier (SQL) threads stopped and started
    GROUP_RESTART = "group_restart"  # STOP/START GROUP_REPLICATION on the member
    GROUP_REBOOT = "group_reboot"  # the whole group stopped and bootstrapped again
    SERVER_RESTART = "server_restart"


@record
class Advice:
    """What to change. Names are canonical; the catalogue spells them for the server at hand.

    `applies` limits it to releases ({"mysql": ">=8.0.30"}); of several, the first that applies counts.
    A value that begins with "=" is an expression over the same names as conditions. `remove` names
    options to take out of the file ("item" = the setting the finding is about). `do` is advice that is no
    setting (upgrade, batch, add a key).
    """

    set: Mapping[str, str] = field(default_factory=dict)
    remove: tuple[str, ...] = ()
    do: str = ""
    applies: Mapping[str, str] = field(default_factory=dict)
    risk: tuple[Risk, ...] = (Risk.R0,)
    takes_effect: TakesEffect | None = None  # None: from the catalogue (dynamic or not)
    costs: str = ""
    trees: Mapping[str, list[object]] = field(default_factory=dict)  # by text: the expressions of `set`, parsed


@record
class Rule:
    """One claim. `when` and `applies` are texts; advisor.conditions gives them meaning."""

    id: str
    title: str
    area: str
    severity: Severity
    when: str
    finding: str
    why: str
    see: tuple[str, ...]
    advice: tuple[Advice, ...] = ()
    applies: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    scope: str = "member"  # or "cluster"
    each: str = ""  # a list fact: the rule is judged once per item, read as item.<name>
    weight: int = 50  # order among findings of one severity: larger first
    status: str = "stable"  # trial | stable | retired
    successor: str = ""
    proof: str = ""
    default_hazard: bool = False  # may fire (as info) on pristine defaults
    file: str = ""
    tree: list[object] = field(default_factory=list)  # `when`, parsed


@record
class Change:
    """One setting of an advice, spelt for the server at hand. `value` None: remove the setting.

    `respell`: the name is part of the change; else another spelling of the same option may stay. `releases`: the labels
    of those that the change is for, () for all that the finding holds for.
    """

    name: str
    value: str | None
    takes_effect: TakesEffect
    was: str = ""  # the value now, as text; "" when unknown
    file: str = ""  # where it stands now
    line: int = 0
    respell: bool = False
    releases: tuple[str, ...] = ()


@record
class Finding:
    """What one rule says about one member (or the cluster, or one item).

    `holds_for` lists the release labels for which the verdict is this one, `out_of` how many releases were
    judged; equal counts mean it is certain. `missing` names the evidence an unknown verdict lacks. `commands` make the
    changes where the settings are a cloud's.
    """

    rule: Rule
    verdict: Verdict
    member: str = ""
    message: str = ""
    because: tuple[Fact, ...] = ()
    missing: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    item: str = ""
    changes: tuple[Change, ...] = ()
    advice: Advice | None = None
    holds_for: tuple[str, ...] = ()
    out_of: int = 1
    severity: Severity = Severity.WARNING
    suppressed: str = ""  # the reason, when suppressed
    commands: tuple[str, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether it holds for every release the evidence allows."""
        return len(self.holds_for) == self.out_of


@record
class Judgement:
    """Everything `check` has to say about one path: what was judged, for which releases, and the findings.

    `findings` holds verdicts finding, unknown and broken (suppressed ones too, with their reason), worst and
    heaviest first; `counts` counts all verdicts. `releases` are the labels judged; `inferred` says they were
    inferred from the options present, `inference` how, in one sentence. `would_start`: per label True, False or None.
    `files` are the option files read, included ones too, in the servers' order.
    """

    path: str
    topology: str = ""
    members: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()
    inferred: bool = False
    inference: str = ""
    would_start: Mapping[str, bool | None] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    counts: Mapping[Verdict, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    running: bool = False


@record
class JudgedPaths:
    """The paths of one server or cluster, what they say, and the judgement of it."""

    paths: tuple[str, ...]
    cluster: Cluster
    judgement: Judgement
