"""How are releases, verdicts, defaults and rates of a move put into words, in every format?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from advisor.annotations import Final
from advisor.evidence.member.value_types import unit_of
from advisor.model.catalog import Value
from advisor.model.move import DefaultChange, Fate, MemberMove, Move, OptionMove
from advisor.model.server import join_labels
from advisor.units import as_option, show

Grouped = tuple[tuple[MemberMove, tuple[str, ...]], ...]
"""A member that stands for all that are alike, and their names."""

MEASURE: Final = (
    "unknown for your load. Before the first server moves, measure it on the old and on the new release, with the same"
    " load, data and durability, on clones or in the lab (`advisor bench --find-sustained`)."
)
_KIB: Final = 1024
_SMALLEST_SIZE: Final = 1 << 20  # smaller round numbers may be counts
_LONGEST: Final = 60  # signs of a value; of longer lists only the words that differ are shown


def heading(move: Move) -> str:
    """From which release to which, and in which topology."""
    origins = join_labels(dict.fromkeys(release.label for member in move.members for release in member.releases))
    words = move.target.label if move.release_stays else f"{origins} → {move.target.label}"
    return f"{words}, {str(move.topology).replace('_', ' ')}" if move.topology is not None else words


def start_verdict(member: MemberMove) -> str:
    """Whether the server starts on the target, as it is and rewritten, in one sentence."""
    if member.starts is None and member.not_rewritten:
        return f"not known whether the server starts: {member.not_rewritten}"
    passed_over = " (and ignores the groups that it does not read)" if member.lost_groups else ""
    as_it_is = {
        True: f"the server starts with these files{passed_over}",
        False: "the server does not start with these files",
        None: "not known whether the server starts with these files",
    }[member.starts]
    if member.not_rewritten:
        return f"{as_it_is}; nothing was rewritten: {member.not_rewritten}"
    if not member.rewritten:
        return f"{as_it_is}; nothing has to be rewritten" if member.starts else as_it_is
    rewritten = {True: "it starts", False: "it does not start", None: "it is not known whether it starts"}
    joint = "and" if (member.starts is member.starts_rewritten) else "but" if member.starts_rewritten else "and"
    also = " also" if member.starts and member.starts_rewritten else ""
    return f"{as_it_is}, {joint} {rewritten[member.starts_rewritten]}{also} with the rewritten ones"


def changed_options(member: MemberMove) -> tuple[OptionMove, ...]:
    """The options that do not simply stay."""
    return tuple(option for option in member.options if option.fate is not Fate.KEPT or option.why)


def counted_options(member: MemberMove) -> str:
    """How many options there are, by what becomes of them."""
    words = {
        Fate.KEPT: "stay",
        Fate.RENAMED: "renamed",
        Fate.TRANSLATED: "translated",
        Fate.REMOVED: "removed",
        Fate.UNDECIDED: "undecided",
        Fate.REFUSED: "refused",
    }
    counts = {fate: sum(option.fate is fate for option in member.options) for fate in Fate}
    return ", ".join(f"{count} {words[fate]}" for fate, count in counts.items() if count) or "none"


def group_remarks(member: MemberMove) -> tuple[str, ...]:
    """Which groups of the files come into force, and which go out of it, with the target."""
    lost, new = (", ".join(f"[{group}]" for group in groups) for groups in (member.lost_groups, member.new_groups))
    told = [f"the target does not read {lost}: rewritten as [mysqld]"] if lost else []
    told += [f"only the target reads {new}: its options take effect with the move"] if new else []
    return tuple(told)


def values(change: DefaultChange) -> tuple[str, str]:
    """The old default (or defaults, where the release is not certain) and the new one, as people read them."""
    if change.stated:
        return str(change.was[0]), str(change.now)
    lists = [value for value in (*change.was, change.now) if isinstance(value, str) and "," in value]
    if any(len(value) > _LONGEST for value in lists) and len(change.was) == 1:
        return _words_that_differ(str(change.was[0] or ""), str(change.now or ""))
    now = f"computed: {change.computed}" if change.computed and change.now is None else _value(change.name, change.now)
    return " or ".join(_value(change.name, value, computed=True) for value in change.was), now


def _value(name: str, value: Value, *, computed: bool = False) -> str:
    if value is None:
        return "computed" if computed else "(none)"
    is_whole = isinstance(value, int) and value > 0 and value % _KIB == 0
    is_size = is_whole and (value >= _SMALLEST_SIZE or unit_of(name) == "bytes")  # type: ignore[operator]  # an int
    return show(value, "bytes" if is_size else "")


def _words_that_differ(old: str, new: str) -> tuple[str, str]:
    """Of two lists, the words that only one of them has; a switch that only one knows counts, too."""
    before, after = old.split(","), new.split(",")
    lost = [word for word in before if word not in after]
    gained = [word for word in after if word not in before]
    return ",".join(lost) or "(nothing)", ",".join(gained) or "(nothing)"


def keeping(change: DefaultChange) -> str:
    """The setting that brings the old default back; "" where that is not known or does not make sense."""
    if change.claim is not None and change.claim.keep:
        return change.claim.keep
    if change.stated or len(change.was) != 1 or change.was[0] in (None, "") or change.computed:
        return ""
    text = as_option(change.was[0]) if unit_of(change.name) == "bytes" else show(change.was[0])
    return f"{change.name} = {text}" if len(text) <= _LONGEST else ""


def meaningful(member: MemberMove) -> tuple[DefaultChange, ...]:
    """The changed defaults whose meaning is known, of what the server has loaded."""
    return tuple(change for change in member.defaults if change.claim is not None and change.loaded)


def others(member: MemberMove) -> tuple[DefaultChange, ...]:
    """The other changed defaults."""
    return tuple(change for change in member.defaults if change.claim is None or not change.loaded)


def rates(move: Move) -> Iterator[tuple[str, str]]:
    """What others measured, and what is to be measured: (setting or feature, sentence). Each once."""
    told: set[str] = set()
    for member in move.members:
        for change in meaningful(member):
            if change.claim is not None and change.claim.rate and change.name not in told:
                told.add(change.name)
                yield change.name, change.claim.rate
    for feature in move.features:
        if feature.claim.rate:
            yield feature.claim.title, feature.claim.rate


def alike_in_options(members: Sequence[MemberMove]) -> Grouped:
    """Members of whose options the same becomes, once, with all their names; lines may stand elsewhere."""
    return _grouped(members, lambda member: (*map(_told, changed_options(member)), counted_options(member)))


def alike_in_defaults(members: Sequence[MemberMove]) -> Grouped:
    """Members whose changed defaults are the same, once, with all their names."""
    return _grouped(members, lambda member: (*(change.name for change in member.defaults), member.releases))


def _told(option: OptionMove) -> tuple[object, ...]:
    return option.text, option.fate, option.lines, option.why


def _grouped(members: Sequence[MemberMove], key: Callable[[MemberMove], tuple[object, ...]]) -> Grouped:
    groups: dict[tuple[object, ...], tuple[MemberMove, list[str]]] = {}
    for member in members:
        groups.setdefault(key(member), (member, []))[1].append(member.name)
    return tuple((member, tuple(names)) for member, names in groups.values())
