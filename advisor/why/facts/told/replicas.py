"""What does a report say of replicas and of semi-synchronous replication?"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, register_words

_GROUPS: Final[dict[str, Group]] = {
    "replica_lag": (
        "a replica is behind.",
        (
            Words(r"seconds behind (?:master|source)\D{0,5}(\d[\d,]*)", 10),
            Words(r"(?<!max[- ])\blag\w*\D{0,25}(\d[\d,]*(?:\.\d+)?)", 10),
            r"\b(?:is|are|fall\w*|fell|runs?|lags?|lagging|hours?|days?|seconds|minutes|far) behind\b",
            r"lag:? (?:grows|growing|increas|ris)",
            r"catch(?:es|ing)?[- ]?up",
            r"backlog",
            r"replica(?:tion)? (?:lag|delay)",
            r"slave lag",
            r"relay logs? (?:pile|accumulat|grow)",
        ),
    ),
    "deliberate_delay": (
        "the replica is delayed on purpose.",
        (r"(?:master|source|sql) delay", r"delayed (?:replica|slave|replication)", r"until (?:master|source) delay"),
    ),
    "clocks": (
        "clocks differ.",
        (
            r"\bclocks?\b",
            r"\bntp\b",
            r"chrony",
            r"time (?:drift|sync|offset|difference|jump)",
            r"system time",
            r"time ?zone",
        ),
    ),
    "lag_jumps": (
        "the lag figure jumps while nothing is late.",
        (
            r"saw ?tooth",
            r"\bjump(?:s|ing|ed)?\b",
            r"alternat",
            r"between 0 and",
            r"\b0 (?:repeatedly|again|in between)",
            r"(?:peaks?|spikes?)\b.{0,60}(?:gap|event|file|zero|fall|back|rotat|equals)",
            r"(?:back|returns?|falls?|drops?) (?:to (?:0|zero)|back)",
            r"(?:shows?|reports?|reads?|says?) (?:0|null|zero)\b",
            r"behind \w+:? (?:0|null) (?:although|while|even|but)|seconds behind \w+: null",
            r"pt-heartbeat|heartbeat (?:lag|delay|shows|says|differs)",
        ),
    ),
    "find_row": (
        "row changes search a table without a usable key.",
        (
            r"gen clust",
            r"\b(?:no|without|missing|lacks?|lacking)(?: an?| the| any)? (?:primary|unique|pk|usable|p\.?k\.?)",
            r"without (?:a )?pk\b",
            r"find row",
            r"table scan and update",
            r"hash scan",
            r"searching rows",
            r"rows search algorithms",
            r"do (?:hash|table|index) scan",
            r"next record in scan",
            r"rows log event::do",
            r"low[- ]cardinality|non-?unique index",
        ),
    ),
    "large_transaction": (
        "a large transaction is applied, or the position stands still.",
        (
            (
                r"(?:large|big|huge|giant|long|massive|single|one) (?:\w+ )?(?:transaction|delete|update|"
                r"trx|write ?set|statement|batch|load)s?\b(?! (?:per|for each|each|at a|after|by)\b)"
            ),
            (
                r"(?:delete|update|insert|transaction|archiv\w*|"
                r"purge)\b.{0,40}\b\d+(?:\.\d+)? ?(?:million|m rows|mio|gb|gib)\b"
            ),
            Words(
                r"(?:largest|biggest|max\w*) (?:trx|transaction|event)\w*(?: size| bytes| rows)?\D{0,5}(\d{6,})",
                100_000,
            ),
            r"\bbatch (?:job|delete|update)",
            r"mass (?:delete|update|insert)",
            r"bulk (?:delete|update|change)",
            r"(?:exec\w*|applied|position)\b.{0,40}(?:does not|not|un-?)(?: )?(?:move|advance|chang|grow)",
            r"same position",
            r"stands? still",
            r"transaction (?:size|length)\b.{0,20}(?:gb|mb)",
            r"nightly|archiving job|cleanup job|purge job",
        ),
    ),
    "applier_error": (
        "the applier has stopped or fails.",
        (
            r"sql running: no\b",
            r"last (?:sql )?errno:? [1-9]",
            r"duplicate entry|(?<!on )duplicate key",
            r"error(?:_code)?:? ?1(?:032|062|594|205|213|396|950)",
            r"ha err",
            (
                r"(?:replication|applier|sql thread|slave|replica)\w* (?:is |are |was |has |have |"
                r"threads? (?:are )?)?(?:stopped|broken|in error)"
            ),
            r"replication ?stopped",
            r"can't find record",
            r"could not execute",
            r"(?:auto[- ]?)?retr(?:y|ies) exhausted",
            r"skip counter",
        ),
    ),
    "receiver_behind": (
        "receiving is behind or broken, not applying.",
        (
            r"queu?eing (?:master|source) event",
            r"i/?o[ _-]?thread (?:is |was )?(?:behind|slow|reconnect|late|stop)",
            r"has read all relay log",
            r"reconnect\w*",
            r"io running: (?:no|connecting)",
            r"slave net timeout|replica net timeout",
            r"relay log space limit",
            r"waiting for the (?:slave|replica) (?:sql|thread)",
            r"connecting to (?:master|source)",
            r"dump threads?\b",
            r"sync relay log",
            r"last io errno:? [1-9]",
            r"read\w* (?:position|pos) (?:is )?behind",
            r"binlog (?:dump|server)",
            r"error 1236",
            r"waiting (?:for|to) (?:send|receive)",
        ),
    ),
    "applied_all": (
        "the applier has applied all that was received.",
        (r"has read all relay log", r"waiting for more updates"),
    ),
    "workers_idle": (
        "workers idle while one works.",
        (
            r"(?:one|only one|a single) worker\b",
            r"(?:workers?|threads)\b.{0,20}\bidle",
            r"waiting for an event from coordinator",
            r"(?:one|single) (?:schema|database)\b",
            r"type\W{1,3}database",
            r"more (?:workers|threads)\b.{0,30}(?:no|not|little|nothing)",
            r"dependent transaction",
            r"last committed",
            r"logical clock",
        ),
    ),
    "commit_order": (
        "workers wait for their turn to commit.",
        (
            r"preceding transaction",
            r"prior transaction(?! to start)",
            r"preserve commit order",
            r"commit order\b",
            r"commit ?order ?manager",
        ),
    ),
    "coordinator": (
        "the coordinator or scheduler is the limit.",
        (
            r"coordinator.{0,40}(?:cpu|100|busy|limit|bottleneck)",
            r"waiting for (?:slave|replica) workers to process",
            r"hash (?:of )?(?:row|write ?set)s?.{0,20}coordinator",
            r"pending (?:jobs )?(?:events )?size max",
            r"scheduler thread",
        ),
    ),
    "row_event": (
        "a row event is being applied, and nothing says what it waits for.",
        (r"\bsystem lock\b", r"reading event from the relay log", r"applying batch of row"),
    ),
    "weaker_replica": (
        "the replica's machine is weaker, or busy with something else.",
        (
            (
                r"(?:replica|slave|secondary)\w*\b.{0,40}(?:smaller|weaker|slower|older|less|fewer|half|"
                r"hdd|spinning|cheaper)"
            ),
            r"(?:smaller|weaker|slower|older|cheaper) (?:replica|slave|secondary|instance)",
            r"\bt[234]g?\.",
            r"(?:source|master|primary)\b.{0,30}(?:nvme|ssd)\b.{0,40}(?:replica|slave)\b.{0,20}(?:hdd|sata|disk)",
            r"raid ?5",
        ),
    ),
    "blocks_replica": (
        "a backup, a report or a lock on the replica blocks it.",
        (
            (
                r"\b(?:nightly|daily|hourly|weekly|night|during|while|the|each|every|full|hot|logical|physical|volume|"
                r"of|takes?|runs?|by) (?:an? |the )?back ?ups?\b(?! (?:node|server|site|host|link))"
            ),
            r"back ?ups? (?:\w+ )?(?:runs?|running|jobs?|scripts?|starts?|started|window|at|lock|process|tools?|taken)",
            r"^(?:\w+ ){0,2}back ?ups?(?: \w+)?\W{1,2} ?\w",
            r"xtrabackup",
            r"mysqldump",
            r"mariabackup|mydumper",
            r"(?:select|report\w*|analytic\w*|quer(?:y|ies)|etl|lock)\w* on (?:the |a )?(?:replica|slave)",
            r"waiting for (?:global read|commit|backup|table metadata) lock",
            r"read[- ]only (?:being|switch)",
            r"snapshot job|cron",
        ),
    ),
    "ack_wait": (
        "commits wait for a semi-synchronous acknowledgement.",
        (
            r"semi[- ]?sync\w* ?ack",
            r"semi[- ]?sync (?:block|wait)",
            r"waiting for semi",
            r"\backs?\b",
            r"acknowledge?ments?",
            r"after[- ]?sync\b",
            r"repl ?semi",
            r"wait point",
            r"last ack",
            r"semi ?sync (?:source|master) (?:tx|net) (?:avg )?wait",
            r"ackreceiver|ack receiver|ack collector",
        ),
    ),
    "ack_lost": (
        "no acknowledgement can arrive.",
        (
            r"semi ?sync\w*blocked",
            r"(?:no|not|missing|lost|without) (?:an? |the |any )?ack(?:nowledgement)?",
            r"ack\w* (?:missing|never|lost|does not|do not)",
            r"semi ?sync (?:master|source) clients\D{0,4}0",
            r"(?:all|both|only|last|the) replicas? (?:are |is |was |were )?(?:down|gone|stopped|dead|lost|offline)",
            r"wait for (?:slave|replica) count",
            r"primary ?semisync ?blocked",
        ),
    ),
    "ack_timeout": (
        "the semi-synchronous timeout is waited for.",
        (
            r"timeout waiting for (?:reply|ack)",
            r"semi ?sync\w* timeout",
            r"no times\b",
            r"semi[- ]?sync.{0,30}switched off",
            r"fall(?:s|ing)? back to async",
            r"after (?:the )?(?:10 ?s|ten seconds|timeout)",
        ),
    ),
    "semisync_switches": (
        "semi-synchronous replication switches off and on.",
        (
            r"switched (?:off|on).{0,60}switched",
            r"(?:off and on|on and off|flap|back and forth|switches between)",
            r"semi[- ]?sync.{0,20}switched on",
        ),
    ),
    "replica_lag_hint": (
        "perhaps a replica is behind.",
        (
            r"\blag(?:s|ging|ged)?\b",
            r"\bbehind\b",
            r"does not keep up|cannot keep up|can't keep up|not keep up|falls back",
            r"delay(?:s|ed)?\b.{0,20}(?:hour|minute|second|\d)",
            r"late\b|stale reads?",
        ),
    ),
    "applier_behind": (
        "applying is behind while receiving keeps up.",
        (
            r"i/?o[ _-]?thread\W{0,3}(?:is )?(?:keeps up|up to date|current|fine|ok\b)",
            r"sql[ _-]?thread\b.{0,30}(?:behind|slow|not keep|late|bottleneck|busy|cpu|100)",
            r"relay logs? (?:pile|accumulat|grow|fill)",
            r"applier\b.{0,25}(?:slow|behind|not keep|late|busy)",
            r"retrieved.{0,30}(?:ahead|more than|beyond) .{0,20}executed",
            r"applies? (?:slower|less|only|\d)",
            r"sql thread",
        ),
    ),
    "applier_threads": (
        "the number of applier threads is named.",
        (
            r"parallel (?:workers|threads|replication|apply|applier)",
            r"slave threads",
            r"applier threads",
            r"(?:worker|applier) threads",
            r"multi-?threaded (?:slave|replica|applier)|\bmts\b",
        ),
    ),
    "find_row_hint": (
        "perhaps row changes search a table without a usable key.",
        (
            r"tables? without (?:an? |any )?(?:primary|unique|index|key|pk)",
            r"no (?:index|key) on the replica",
            r"handler read (?:rnd )?next.{0,30}(?:replica|slave)",
            r"rows? (?:image|event).{0,20}(?:search|scan|lookup)",
            r"key was added|added a (?:primary )?key",
        ),
    ),
    "large_transaction_hint": (
        "perhaps a large transaction is applied, or the position stands still.",
        (
            r"one (?:huge |large |big |single )?transaction\b(?! per| for each)",
            r"in (?:a )?(?:single|one) transaction",
            r"(?:binlog|binary log|relay log) file of \d+",
            (
                r"(?:batch|nightly|bulk|mass|archiv\w+|clean-?up|purge|maintenance) (?:job|load|delete|"
                r"update|run|statement|change)"
            ),
            r"create table .{0,10}select|insert .{0,15}select",
            r"delete from\b",
        ),
    ),
    "receiver_behind_hint": (
        "perhaps receiving is behind or broken, not applying.",
        (
            r"source position",
            r"read(?:s)? (?:position|pos)\b.{0,30}(?:minus|behind|far)",
            r"i/?o[ _-]?thread\b.{0,40}(?:behind|slow|wait|queue|limit|network)",
            r"relay log (?:write|sync|fsync)",
            r"arriv(?:e|es|ing) (?:late|slowly)",
            r"binlog (?:sender|sending|transfer)",
            r"packets? (?:too large|bigger)|max allowed packet",
            r"not (?:yet )?received",
        ),
    ),
    "replica_durability_hint": (
        "perhaps the replica syncs each transaction.",
        (r"syncs? on the (?:replica|slave)",),
    ),
    "replica_waits_for_lock": (
        "the replica's applier waits for a lock that somebody holds there.",
        (
            r"(?:sql thread|applier|worker|replica|slave)\b.{0,60}waiting for (?:table|global|backup|metadata)",
            r"(?:sql thread|applier|worker) (?:is )?blocked by",
        ),
    ),
    "weaker_replica_hint": (
        "perhaps the replica's machine is weaker, or busy with something else.",
        (
            r"(?:replica|slave)(?:'s)? (?:disk|cpu|machine|storage|hardware|volume|host)\b",
            r"less (?:memory|ram|cpu|iops)",
        ),
    ),
    "blocks_replica_hint": (
        "perhaps a backup, a report or a lock on the replica blocks it.",
        (
            r"long (?:running )?(?:select|query|transaction|report)\b",
            r"read load on the replica|readers on the replica|reads on the replica",
            r"(?:dump|mysqldump|mydumper) (?:runs?|running|is running|on the|of the replica)",
        ),
    ),
    "lag_jumps_hint": (
        "perhaps the lag figure jumps while nothing is late.",
        (
            r"(?:lag|delay|figure|value|metric|graph)\b.{0,25}(?:wrong|mislead|false|does not|unrelated|bogus|odd)",
            r"seconds behind \w+.{0,30}(?:although|while|but)\b",
            r"exporter|monitoring (?:shows|system|tool)",
            r"no (?:real|actual) (?:lag|delay)",
            r"huge number|18446744|negative",
            r"\bidle (?:source|master|primary)",
        ),
    ),
    "ack_wait_hint": (
        "perhaps commits wait for a semi-synchronous acknowledgement.",
        (
            r"semi[- ]?sync",
            r"commits? wait",
        ),
    ),
    "acks_arrive": (
        "acknowledgements arrive, although sessions wait for them.",
        (
            r"\backs?\b\W{0,3}(?:are |is )?(?:arriv|receiv|sent)",
            r"acknowledge?ments? (?:are |is |do )?(?:arriv|receiv|sent)",
        ),
    ),
    "ack_lost_hint": (
        "perhaps no acknowledgement can arrive.",
        (
            r"wait(?:s|ing)? for ever|never acknowledg",
            r"\backs?\b.{0,25}\blost\b",
            r"replicas? (?:do not|does not|don't) (?:answer|reply|ack)",
            r"no semi-?sync replica",
        ),
    ),
}

register_words(_GROUPS)
