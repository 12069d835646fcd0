"""What does a report say that rules the usual suspect out, or shows at once who is at fault?

Unlike words that merely fit a mechanism, each of these settles one question: was the device at its limit, does the
binary log cost anything, which program is busy, is the figure that alarms somebody large at all?
"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, add_words, register_words

_CLIENT_PROGRAM: Final = (
    r"(?:my(?:loader|dumper|sqldump|sqlpump|sqlimport|sqlslap|sqlsh)|mysql|mariadb(?:-dump|-import)?|sysbench|python\d?"
    r"|java|php(?:-fpm)?|node|ruby|perl|gh-ost|pt-[a-z-]+)"
)
_SLOWER: Final = r"(?:lower|slower|longer|worse)\b"
_BINLOG: Final = r"(?:log[- ]bin|binlog|binary log)"
_GROUPS: Final[dict[str, Group]] = {
    "few_table_opens": (
        "tables are opened less than once a second.",
        (
            Words(r"open(?:ed|ing|s)? tables?\b[^\d]{0,20}(\d+(?:\.\d+)?) ?(?:per|/|a) ?min", 0, 60),
            Words(r"open(?:ed|ing|s)? tables?\b[^\d]{0,20}(\d+(?:\.\d+)?) ?(?:per|/|an?) ?h(?:our)?\b", 0, 3600),
            Words(r"opened table rate\D{0,4}(\d+(?:\.\d+)?) per minute", 0, 60),
            Words(r"opened table rate\D{0,4}(\d+(?:\.\d+)?) per hour", 0, 3600),
        ),
    ),
    "disk_can_do_more": (
        "the device has shown, or could reach, a much higher rate than now.",
        (
            (
                r"(?:at other times|earlier|elsewhere|otherwise|before|later)\b.{0,30}(?:times|fold|x) "
                r"(?:that|this|as much|more|higher)"
            ),
            r"(?:times|fold|x) (?:that|this|the) (?:i/?o|write|read) (?:rate|volume|throughput)",
            r"(?:far|well|much|way) below (?:what )?(?:the |its )?(?:disk|device|volume|storage|limit|capacity)",
            r"(?:disk|device|volume|storage)s? (?:can|could|is able to|would) do (?:far |much |\d+ times )?more",
            r"(?:very|unusually|remarkably) (?:low|little) (?:buffer pool |disk |write |read )?i/?o\b",
        ),
    ),
    "slower_without_binlog": (
        "commits are slower while the binary log is off.",
        (
            rf"{_SLOWER}.{{0,25}}(?:without|disabl\w+|skip)[- ](?:a |the )?{_BINLOG}",
            rf"{_SLOWER}.{{0,25}}{_BINLOG}(?:ging)? (?:is |was )?(?:off|disabled)",
            rf"(?:faster|quicker|higher|better)\b.{{0,25}}\bwith (?:a |the )?{_BINLOG}",
            rf"\b(?:log bin|log (?:slave|replica) updates) ?[=:]? ?(?:0|off)\b.{{0,30}}{_SLOWER}",
            rf"\bskip[- ]log[- ]bin\b.{{0,30}}{_SLOWER}",
        ),
    ),
    "dump_waits_for_link": (
        "the thread that sends the binary log cannot get its data through the link.",
        (
            r"(?:binlog dump|dump thread|sender|sending thread)\b.{0,60}writing to net",
            (
                r"(?:compress\w*|slave compressed protocol ?= ?(?:1|on))\b.{0,40}"
                r"\b(?:caught up|catches up|catch(?:ing)? up|no (?:more )?lag|lag (?:is |was )?gone)"
            ),
        ),
    ),
    "client_program_busy": (
        "a client program, not the server, keeps a core busy.",
        (
            Words(rf"\b(\d{{2,3}}(?:\.\d+)?)[ %a-z]{{0,6}}\b{_CLIENT_PROGRAM}$", 80, 400),
            Words(rf"\b(\d{{2}}(?:\.\d+)?) ?% +{_CLIENT_PROGRAM} +(?:\S+ +)?\[[.k]\]", 40, 100),
            (
                r"(?:client|loader|importer|restore tool|application)(?: process| program)? "
                r"(?:uses|burns|takes|keeps|occupies) (?:a |one )?(?:full |whole |entire |single )?(?:core|cpu|100 ?%)"
            ),
        ),
    ),
    "bisected": (
        "the change of the rate was traced to one commit of the source code.",
        (
            r"\bbisect",
            r"(?:tps|qps|rate|throughput|time)\w* by commit\b",
            r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,40}\b.{0,60}\d (?:tps|qps)\b",
        ),
    ),
    "huge_binlog_file": (
        "one binary log file is several times as large as any limit, so one transaction fills it.",
        (
            Words(
                r"(?:one|single|a) (?:binlog|binary log)(?: file)? (?:of |is |reached |grew to |has )?"
                r"(?:over |about |more than )?(\d+) ?g",
                5,
            ),
            Words(r"\bbin(?:log)?\.\d{6}\b\D{1,12}(\d+)(?:\.\d+)? ?g", 5),
            Words(r"\bbin(?:log)?\.\d{6}\b\W{1,12}(\d{10,})\b", 5_000_000_000),
            Words(r"\b(\d+) ?gi?b? (?:binlog|binary log)(?: file)?\b(?!s)", 5),
        ),
    ),
    "checkpoint_age": (
        "the redo that unflushed pages need reached its limit, and flushing turned aggressive.",
        (
            r"aggressive(?:ly)? flush|furious(?:ly)? flush|flush\w* (?:turns|becomes|gets|goes) aggressive",
            r"\bage limit|max(?:imum)? checkpoint age|checkpoint age\b.{0,25}(?:limit|max|reach|exceed|too large)",
            r"\ba?sync flush(?:ing)? point|sync(?:hronous)? flushing (?:begins|starts|sets in)",
            r"(?:pages?|flush\w*|writes)\b.{0,25}\bin (?:a |one )?bursts?\b.{0,25}\b(?:stall|stop|dip|pause|hang)",
        ),
    ),
    "long_flush": (
        "a statement or a shutdown waits minutes or hours until pages are flushed.",
        (
            r"(?:minutes|hours|\d+ ?(?:s|min|h)) of flushing\b|spen[dt]s? .{0,25}\bflushing",
            r"flush(?:ing|es)? (?:takes|took|lasts|lasted|needs|needed) .{0,12}(?:minutes|hours|\d+ ?(?:s|min|h)\b)",
        ),
    ),
    "dependency_distance": (
        "the distance between write sets that depend on each other is looked at.",
        (r"(?:cert deps|dependency) distance.*",),
    ),
    "starting_commit": (
        "commits are about to start and do not get on.",
        (r"\bstarting commit\b", r"commits?\b.{0,20}(?:hang|stall|stuck|pile|queue)"),
    ),
}

_MORE: Final[dict[str, tuple[str | Words, ...]]] = {
    "without_trouble": (
        r"no (?:slowness|symptoms?|trouble|problem) (?:is |was |are |were )?(?:reported|seen|noticed|observed|felt)",
        r"complain\w*(?: about \w+)?\W{1,3}(?:none|nothing|no)\b|(?:nobody|no one) complain",
    ),
    "tuner_advice": (r"\bthis value should be (?:less|more|below|above)|advisor\W{1,3}(?:issue|recommend)",),
}

register_words(_GROUPS)
add_words(_MORE)
