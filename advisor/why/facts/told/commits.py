"""What does a report say of commits and their logs?"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, register_words

_GROUPS: Final[dict[str, Group]] = {
    "sync_wait": (
        "commits or syncs of logs take the time.",
        (
            r"\bf(?:data)?syncs?\b",
            "log write up to",
            "sync binlog file",
            "os file (?:fsync|flush)",
            r"\bmy sync\b",
            "ordered commit",
            "io/redo log flush",
            "waiting for handler commit",
            r"\bquery end\b",
            "log write flush",
            r"\bcommits?\b.{0,40}\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b",
            r"digest.{0,10}\bcommit\b",
            "process flush stage",
            r"\bsyncs? (?:of|per|each|every)\b",
            r"wait/io/file/innodb/innodb log",
            "wait/io/file/sql/binlog",
            r"^commit$",
            r"redo log syncs?",
            "log flush",
            r"sync(?:ed|s)? (?:at|on) (?:each|every) commit",
            r"innodb os log fsyncs",
            r"mysql bin log::|cond done\b|lock (?:sync|commit|done)\b",
            r"stage manager|enroll for",
            r"trx flush log if needed|log write up to|log wait for flush",
        ),
    ),
    "sync_wait_hint": (
        "perhaps commits or syncs of logs take the time.",
        (
            r"synced (?:per|at|with|on|for)",
            r"\bsync(?:s|ed)? per (?:commit|transaction|second)",
            r"commit (?:latency|time|rate)\b",
            r"commits?\b.{0,25}\b(?:slow|wait|limit|sync)",
            r"sync rate",
            r"log file sync",
            r"\bflush(?:es|ed)? to disk",
        ),
    ),
    "slow_commits": (
        "COMMIT is the statement that takes the longest.",
        (
            r"\bcommits?\b\W{0,3}(?:is |are )?(?:the )?(?:first|top|slowest|longest|most expensive|rank ?1)\b",
            r"(?:slowest|top|longest) (?:quer(?:y|ies)|statements?)\b.{0,20}\bcommit\b",
            Words(r"\bcommit\b.{0,30}?(?:avg|average|mean|p9[59]|latency)\D{0,8}(\d+(?:\.\d+)?) ?ms", 2),
        ),
    ),
    "redo_full": (
        "the redo log is full or too small.",
        (
            r"age of the last checkpoint",
            r"log free check",
            "log preflush",
            r"log checkpoint margin",
            r"log group capacity",
            r"checkpoint age",
            r"redo (?:log )?(?:is |was |runs )?(?:full|too small)|(?:no|free|out of|for) (?:redo|log) (?:log )?space",
            r"max(?:imum)? checkpoint",
            r"(?:sharp|sync|async|furious|aggressive) (?:checkpoint|flush)",
            r"log files? (?:size )?(?:is |are )?(?:too )?small",
            r"ib logfile.{0,30}small",
            r"log reserve and open",
            "log writer wait on checkpoint",
            r"wait(?:s|ing)? for (?:a )?checkpoint",
            "log buffer waits",
            r"flush lsn.{0,20}behind",
        ),
    ),
    "redo_full_hint": (
        "perhaps the redo log is full or too small.",
        (
            r"log files? of (?:5|48|50|64|100) ?m",
            r"checkpoint",
            r"redo.{0,25}(?:small|full|wrap|fill)",
            r"log capacity\b(?! ?=)",
            r"\bib ?logfile",
        ),
    ),
    "doublewrite": (
        "the doublewrite buffer is involved.",
        (
            r"double ?write",
            r"\bdblwr",
        ),
    ),
    "binlog_rotation": (
        "binary log files are rotated or purged.",
        (
            r"(?<!relay log )(?<!relay logs )(?<!log)rotat\w*(?! to \S*relay)",
            r"(?<!switching to )(?:new|next) (?:binary log|binlog)(?: file)?(?! \w+:)\b(?!:)",
            r"max binlog size",
            r"binlog.{0,20}(?:purge|expire)",
            r"(?:purge|expire)\w*.{0,20}(?:binlog|binary log)",
            r"compress gtid",
            r"gtid executed (?:table)?",
            r"flush (?:binary )?logs",
        ),
    ),
    "binlog_rotation_hint": (
        "perhaps binary log files are rotated or purged.",
        (
            r"each (?:new )?(?:binary log|binlog) file",
            r"at (?:the )?(?:rotation|switch) of",
            r"mysql\.gtid executed",
        ),
    ),
    "binlog_cost": (
        "writing or copying the binary log costs much.",
        (
            r"binlog cache (?:disk|use|size)",
            r"binlog (?:group )?commit",
            r"lock log",
            r"row image",
            r"binary logs?.{0,30}\b(?:gb|mb)",
            r"log[- ](?:slave|replica)[- ]updates",
            r"\bml-?\w+ (?:temp|tmp) files?",
            r"without (?:the )?(?:binary log|binlog)",
            r"skip-log-bin|sql log bin ?= ?(?:0|off)",
            r"disable-log-bin",
        ),
    ),
    "binlog_cost_hint": (
        "perhaps writing or copying the binary log costs much.",
        (r"(?:large|huge|many) (?:binary logs|binlogs)",),
    ),
    "binlog_compression": (
        "the binary log is compressed.",
        (
            r"transaction compression",
            r"compress\w*.{0,20}(?:binlog|binary log|event|transaction)",
            r"\bzstd\b",
            r"log bin compress",
        ),
    ),
    "commit_delay": (
        "commits wait on purpose.",
        (r"sync delay", r"commit wait (?:usec|count)", r"no delay count", r"deliberate (?:wait|delay)"),
    ),
    "durability_options": (
        "the settings that decide when commits are synced are named.",
        (
            r"flush log at trx commit",
            r"\bsync binlog\b",
            r"\bdurab(?:le|ility)\b",
            r"flush(?:ed|es)? (?:at|on|per|after|with) (?:each |every )?commit",
            r"relay log sync|sync relay log",
        ),
    ),
    "group_commit": (
        "commits are or are not synced in groups.",
        (
            r"(?<!binlog )group commit(?! sync)",
            r"one sync at a time",
            r"prepare commit mutex",
            r"(?:each|every|one) (?:commit|sync) (?:after|at a time|alone|by itself)",
            r"transactions? per sync",
            r"binlog.{0,10}\bxa\b",
            r"flat.{0,30}(?:log-bin|binlog|binary log)",
        ),
    ),
    "gtid": (
        "GTIDs are involved.",
        (r"\bgtids?\b(?! (?:set|position|auto))",),
    ),
}

register_words(_GROUPS)
