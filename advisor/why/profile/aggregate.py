"""How was each group of threads spread over the classes, over all moments at which the process list was read?

Where wait instruments were on at some of the moments only, these tell how the threads of a class are spread over finer
ones, and those of the other moments are spread alike. At each moment a thread that waits for the leader of its commit
group inherits what the leader does then: the sync of a log, an acknowledgement, a deliberate delay. Where no leader can
be seen, it stays where it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from advisor.model.diagnosis import Threads
from advisor.model.evidence import Member, Row
from advisor.model.record import field, record, replace
from advisor.why.profile.classify import Recogniser, Seen
from advisor.why.profile.threads import Thread, as_applier, coordinators_apply, threads_of

_GROUP_OF: Mapping[str, Threads] = {
    "client": Threads.WRITERS,
    "applier": Threads.APPLIERS,
    "coordinator": Threads.COORDINATOR,
    "receiver": Threads.RECEIVER,
    "dump": Threads.DUMP,
}
_MOST_WORDS = 3

# Of a group of threads, and a class that was recognised without events: the shares of its classes with them.
Finer = Mapping[Threads, Mapping[str, Mapping[str, float]]]


@record
class Moment:
    """The threads of one process list, and the background threads of that moment by their system call.

    `instrumented`: the server's wait instruments were on for a short time, this moment included.
    """

    threads: Sequence[tuple[Thread, int]]
    background: Mapping[str, int] = field(default_factory=dict)
    instrumented: bool = False


@record
class GroupCounts:
    """How often threads of a group were seen in each class: `moments` is the number of process lists.

    `counts` sum to the number of sampled threads. `present`: at how many moments at least one thread was in the class.
    `words`: the class's most frequent words. `led_by_cpu`: followers at moments when nobody syncs, and a thread is on a
    CPU, or waits for one, inside its commit. `instrumented`: moments with wait instruments that tell of the others,
    0 where there are none; `told`: the share of the threads' time that they put into other classes at those others.
    """

    group: Threads
    moments: int
    counts: Mapping[str, float]
    present: Mapping[str, float]
    words: Mapping[str, tuple[str, ...]]
    led_by_cpu: float = 0.0
    instrumented: int = 0
    told: float = 0.0

    @property
    def threads(self) -> float:
        """Threads on average."""
        return sum(self.counts.values()) / self.moments

    def shares(self) -> dict[str, float]:
        """Share of the threads' time in each class."""
        total = sum(self.counts.values())
        return {name: count / total for name, count in self.counts.items()}


def moments_of(member: Member) -> list[Moment]:
    """Every process list of a member; what its background threads did belongs to the list read at the same time."""
    background = {table.at_seconds: table.rows for table in member.tables if table.table == "background_threads"}
    lists = [(table.at_seconds, table.rows) for table in member.tables if table.table == "processlist"]
    if not lists and member.processlist:
        lists = [(0.0, member.processlist)]
    instrumented = {table.at_seconds for table in member.tables if table.table == "instrumented" and table.rows}
    moments = [Moment(threads_of(rows), _calls(background.get(at, ())), at in instrumented) for at, rows in lists]
    if not coordinators_apply(moment.threads for moment in moments):
        return moments
    return [replace(moment, threads=[(as_applier(t), n) for t, n in moment.threads]) for moment in moments]


def count(moments: Sequence[Moment], recogniser: Recogniser) -> dict[Threads, GroupCounts]:
    """The counts of every group that was seen."""
    counts: dict[Threads, Counter[str]] = {}
    present: dict[Threads, Counter[str]] = {}
    words: dict[Threads, dict[str, Counter[str]]] = {}
    led_by_cpu: Counter[Threads] = Counter()
    untold: dict[Threads, Counter[str]] = {}
    finer = _finer(moments, recogniser)
    for moment in moments:
        here = _classes_at(moment, recogniser, words)
        leaders = _leaders(moment, here, recogniser)
        cpu_leads = not leaders and any(recogniser.classify(thread).commits for thread, _ in moment.threads)
        for group, classes in here.items():
            if cpu_leads:
                led_by_cpu[group] += sum(number for name, number in classes.items() if name in recogniser.following)
            estimated = {} if moment.instrumented else finer.get(group, {})
            spread = _spread(classes, leaders, recogniser, estimated)
            untold.setdefault(group, Counter()).update(_spread(classes, leaders, recogniser))
            counts.setdefault(group, Counter()).update(spread)
            there = {name: min(1.0, number) if estimated else 1 for name, number in spread.items() if number}
            present.setdefault(group, Counter()).update(there)
    instrumented = sum(moment.instrumented for moment in moments) if finer else 0
    return {
        group: GroupCounts(
            group=group,
            moments=len(moments),
            counts=counts[group],
            present=present[group],
            words=_most_frequent(words[group]),
            led_by_cpu=led_by_cpu[group],
            instrumented=instrumented,
            told=(counts[group] - untold[group]).total() / max(1, counts[group].total()),
        )
        for group in Threads
        if group in counts
    }


def _finer(moments: Sequence[Moment], recogniser: Recogniser) -> Finer:
    """What events tell beyond everything else; {} where all moments have them, or none."""
    if all(moment.instrumented for moment in moments):
        return {}
    seen: dict[Threads, dict[str, Counter[str]]] = {}
    for moment in moments:
        if not moment.instrumented:
            continue
        leaders = _leaders(moment, _classes_at(moment, recogniser, {}), recogniser)
        for thread, number in moment.threads:
            if group := _GROUP_OF.get(thread.kind):
                without = recogniser.classify(thread._replace(event="")).wait_class
                spread = _spread({recogniser.classify(thread).wait_class: number}, leaders, recogniser)
                seen.setdefault(group, {}).setdefault(without, Counter()).update(spread)
    return {
        group: {name: {to: n / spread.total() for to, n in spread.items()} for name, spread in classes.items()}
        for group, classes in seen.items()
    }


def _classes_at(
    moment: Moment, recogniser: Recogniser, words: dict[Threads, dict[str, Counter[str]]]
) -> dict[Threads, Counter[str]]:
    """The classes of one moment by group; the words are added to those of all moments."""
    alike: dict[tuple[str, Seen], int] = {}
    for thread, number in moment.threads:
        key = thread.kind, recogniser.classify(thread)
        alike[key] = alike.get(key, 0) + number
    here: dict[Threads, Counter[str]] = {}
    for (kind, (wait_class, word, _)), number in alike.items():
        group = _GROUP_OF.get(kind)
        if group is None:
            continue
        here.setdefault(group, Counter())[wait_class] += number
        words_here = words.setdefault(group, {})
        if word:
            words_here.setdefault(wait_class, Counter())[word] += number
    return here


def _leaders(moment: Moment, here: Mapping[Threads, Counter[str]], recogniser: Recogniser) -> dict[str, float]:
    """The leading classes of a moment, as shares of 1; {} where no leader is seen."""
    leaders: Counter[str] = Counter()
    for classes in here.values():
        leaders.update({name: number for name, number in classes.items() if name in recogniser.leading})
    for call, number in moment.background.items():
        name = recogniser.class_of_call(call)
        if name in recogniser.leading:
            leaders[str(name)] += number
    total = sum(leaders.values())
    return {name: number / total for name, number in leaders.items()}


def _spread(
    classes: Mapping[str, int],
    leaders: Mapping[str, float],
    recogniser: Recogniser,
    finer: Mapping[str, Mapping[str, float]] = MappingProxyType({}),
) -> Counter[str]:
    """The classes with followers moved to what their leaders do, and the others to finer ones where these are known."""
    spread: Counter[str] = Counter()
    for name, number in classes.items():
        shares = leaders if name in recogniser.following and leaders else finer.get(name, {name: 1})
        for to, share in shares.items():
            spread[to] += number * share  # type: ignore[assignment]
    return spread


def _calls(rows: Iterable[Row]) -> dict[str, int]:
    calls: Counter[str] = Counter()
    for row in rows:
        number = row.get("count")
        calls[str(row.get("call") or "").lower()] += number if isinstance(number, int) else 1
    return calls


def _most_frequent(words: Mapping[str, Counter[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(word for word, _ in seen.most_common(_MOST_WORDS)) for name, seen in words.items()}
