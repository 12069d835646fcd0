"""Which mechanism of replication does a report show, and not only name? Groups of words that fit one mechanism each.

Names of functions, states and messages are those of MySQL 5.0 to 9 and of MariaDB, in both spellings (slave and
replica, master and source).
"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, add_words, register_words

_SOURCE: Final = r"(?:source|master|primary|writer)"
_REPLICA: Final = r"(?:replica|slave|secondary|standby)"
_SQL: Final = (
    r"(?:(?:slave|replica) (?:sql|worker)|sql[ _-]?thread|applier|apply thread|coordinator|workers?\d*|system user)"
)
_RECEIVER: Final = r"(?:i/?o[ _-]?thread|receiver(?: thread)?|slave[ _-]io|replica[ _-]io)"
_CHANGE_OF_SCHEMA: Final = (
    r"(?:alter(?:ing)? table|optimi[sz]e table|create (?:unique |fulltext )?index|(?:add|drop)(?:ing)? (?:an? )?"
    r"(?:index|column|partition)|truncate|copy(?:ing)? to tmp table|\bddl\b|rebuild\w* )"
)

_OF_RECEIVING: Final[dict[str, Group]] = {
    "receiver_syncs": (
        "the receiver syncs the relay log after every few events.",
        (
            r"relay[ -]?logs?\b.{0,80}\bf(?:data)?sync",
            r"\bf(?:data)?sync\w*.{0,60}relay[ -]?log",
            rf"{_RECEIVER}\b.{{0,60}}\bf(?:data)?sync",
            r"\bsync relay log(?: info)?\W{1,4}1\b",
            rf"\bsync {_SOURCE} info\W{{1,4}}1\b",
            r"flush (?:master|source) info|mysql bin log::(?:after append to|after write to) relay log",
        ),
    ),
    "relay_log_volume": (
        "the report names the volume of the relay log.",
        (
            r"(?:partition|volume|disk|device|file ?system|mount|lv|drive)\b.{0,25}\brelay[ -]?logs?",
            r"relay[ -]?logs?\b.{0,30}\b(?:partition|volume|disk|device|file ?system|mount|lv|drive)\b",
        ),
    ),
    "receiver_moves_slowly": (
        "the position that was read moves slowly.",
        (
            rf"read {_SOURCE} log pos\w*\b.{{0,25}}(?:advances?|moves?|grows?|increases?) (?:only )?(?:slowly|little)",
            rf"{_RECEIVER}\b.{{0,30}}(?:slow|behind|late|stall|bottleneck|not keep)",
            r"receiv(?:es|ed|ing) (?:only )?(?:slowly|late|less than|\d+ ?[km]b/s)",
        ),
    ),
    "receiver_error": (
        "the receiver has stopped with an error.",
        (
            r"fatal error 1236|last io errno\W{1,3}[1-9]|last io error\W{1,3}\w",
            r"(?:slave|replica) i/o\b.{0,40}(?:fatal error|error_code: ?1236|err code 1(?:236|593|595))",
            r"log event entry exceeded max|relay log write failure|could not find first log file name",
            r"(?:slave|replica) io running\W{1,3}no\b",
        ),
    ),
    "link_broken": (
        "the connection to the source breaks, or is dead and nobody notices.",
        (
            r"\b(?:cut|lost|broken|pulled|interrupted|severed|unplugged) (?:the )?(?:network|cable|link|line)",
            r"(?:network|link|line|vpn|tunnel)\b.{0,20}\b(?:outage|interrupt\w*|cut\b|went down|broke\b|drops? out)",
            r"cable\b.{0,25}(?:pulled|unplug|cut|faulty|bad|broken)|unplugg",
            r"half[- ](?:open|closed|dead)|dead (?:tcp |network )?connection|(?:silently|quietly) dropped",
            r"stays? connected\b.{0,25}(?:nothing|no events)|connected (?:but )?(?:without events|receiv\w+ nothing)",
            rf"{_REPLICA} net timeout\b.{{0,60}}(?:3600|86400|hour|no effect|ignored|default|reconnect)",
            r"(?:after|when) (?:the )?(?:short |brief )?(?:network|link|connection) (?:loss|outage|failure|problem)",
        ),
    ),
    "receives_nothing": (
        "the replica seems to run, but receives nothing.",
        (
            rf"(?:pos\w*|file)\b.{{0,50}}(?:do(?:es)? not|no longer|don't) (?:match|agree|equal).{{0,40}}{_SOURCE}",
            r"receives? nothing|nothing (?:is |was )?received|no (?:new )?events? (?:arriv|receiv|com)\w*",
            (
                rf"(?:stop|restart)\w*(?:(?: and|,|/)? start\w*)? (?:the )?(?:{_REPLICA}|{_RECEIVER}|replication)\b"
                r".{0,30}(?:goes on|continues|resumes|helps|cures|works|catches up|fine)"
            ),
        ),
    ),
}

_OF_APPLYING: Final[dict[str, Group]] = {
    "row_search": (
        "the applier searches for rows: its functions say so, or a table has no key.",
        (
            r"hash slave rows|make hash key|hash scan and update|do (?:hash|table|index) scan(?: and update)?\b",
            r"rows? log event::(?:find (?:row|key)|next record in scan|open record scan|search key in table)",
            r"search key in table|record compare\b|rows log event.{0,40}(?:rnd next|index next|row search)",
            r"create table \S+ ?\((?!.*\b(?:key|index|unique|primary)\b).{30,}\)",
            r"row search\w*.{0,30}rows log event",
        ),
    ),
    "worker_ddl": (
        "the applier runs a schema change, which takes as long as on the source.",
        (
            rf"\b{_SQL}\b.{{0,45}}{_CHANGE_OF_SCHEMA}",
            rf"{_CHANGE_OF_SCHEMA}.{{0,60}}\b(?:on|in) (?:the |a )?(?:{_REPLICA}|{_SQL})\b",
            rf"\b{_REPLICA}s?\b.{{0,30}}(?:appl|execut|replay|run)\w*.{{0,15}}{_CHANGE_OF_SCHEMA}",
        ),
    ),
    "worker_lock": (
        "a worker waits for a metadata lock.",
        (rf"\b{_SQL}\b.{{0,40}}waiting for (?:table|schema|stored \w+) metadata lock",),
    ),
    "forced_checkpoint": (
        "all workers have to finish before the coordinator goes on.",
        (
            (
                r"(?:workers?|threads?)\b.{0,60}(?:end of (?:the|that|this|its) (?:\w+ ){0,2}(?:file|log|binlog)|"
                r"same (?:file and )?position)"
            ),
            r"waiting for (?:slave|replica) workers to (?:process|finish)",
            r"wait for workers to finish|mts checkpoint|forced checkpoint",
        ),
    ),
    "commit_time_of_workers": (
        "workers spend their time in commits and syncs.",
        (
            Words(rf"\b(?:{_SQL}|{_REPLICA})\d*\b.{{0,25}}handler commit\w*\D{{0,12}}(\d+(?:\.\d+)?)", 20),
            Words(
                rf"\b{_SQL}\d*\b.{{0,25}}(?:binlog|redo|log) (?:file|sync|flush) wait\w*\D{{0,6}}(\d+(?:\.\d+)?)", 20
            ),
            rf"\b{_SQL}\b.{{0,40}}(?:waiting for handler commit|starting commit|query end|ordered commit|fdatasync)",
        ),
    ),
    "replica_relaxed": (
        "relaxed durability let the replica catch up.",
        (
            (
                rf"(?:sync binlog|flush log at trx commit|durab\w+)\b.{{0,50}}\b{_REPLICA}\b.{{0,40}}"
                r"(?:gone|caught up|catches up|keeps up|faster|no (?:more )?lag|zero|within)"
            ),
            (
                rf"\b{_REPLICA}\b.{{0,40}}(?:sync binlog|flush log at trx commit|durab\w+)\b.{{0,50}}"
                r"(?:gone|caught up|catches up|keeps up|faster|no (?:more )?lag|zero|within)"
            ),
        ),
    ),
    "applier_retries": (
        "the applier waits for row locks that sessions on the replica hold.",
        (
            rf"\b{_SQL}\b.{{0,40}}\bretr(?:y|ies|ied)\b.{{0,25}}transaction",
            rf"\b{_SQL}\b.{{0,80}}lock wait timeout|lock wait timeout.{{0,60}}\b{_SQL}\b",
            Words(rf"{_REPLICA} (?:transaction retries|retried transactions)\W{{1,3}}(\d+)", 1),
        ),
    ),
    "no_appliers": (
        "a node has no applier left, or could not apply a write set.",
        (
            r"\b(?:no|without|zero|0) (?:wsrep )?(?:applier|slave|apply)(?: threads?|s)\b",
            r"(?:bf )?applier (?:has )?failed|failed to apply (?:trx|write ?set|app buffer)|apply error",
            r"applier threads? (?:\w+ )?(?:exit|died|terminat|gone|killed)\w*",
        ),
    ),
}

_OF_LAG: Final[dict[str, Group]] = {
    "wrong_lag": (
        "the lag figure is wrong; the replica is not late.",
        (
            (
                r"(?:wrong|bogus|incorrect|distorted|false|impossible|absurd|spurious|nonsens\w+) "
                r"(?:value of )?(?:seconds behind|replication lag|lag|sbm)\b"
            ),
            (
                r"(?:seconds behind \w+|\blag|\bsbm|delay)\b.{0,40}(?:is|looks|seems|was|being|reads) "
                r"(?:wrong|bogus|incorrect|distorted|false|spurious|far too)"
            ),
            (
                r"(?:seconds behind|\blag|delay)\b.{0,80}(?:length of the (?:pause|gap)|since the last"
                r" (?:event|transaction)|idle (?:time|period))"
            ),
            r"(?:0|zero|null) while idle",
        ),
    ),
    "old_events": (
        "events carry old timestamps.",
        (
            r"events?\b.{0,50}\b(?:dated|time ?stamps?) (?:in|of|from|before|days|hours|weeks)\b",
            r"\bold (?:events?|time ?stamps?)\b|events? (?:of|from) (?:days|hours|weeks|months) ago",
            r"(?:server[ _-]?id|events?)\b.{0,50}(?:no longer (?:exists|there)|circl\w+|loops?\b|infinite|endless)",
            r"events? (?:of|with|from) (?:an? )?(?:old|former|unknown|other|foreign|removed) server[ _-]?ids?",
        ),
    ),
}

_OF_COMMITS: Final[dict[str, Group]] = {
    "stop_of_timeout": (
        "writes stop for ten seconds, the usual timeout, and then go on.",
        (
            (
                r"\b(?:stop|stall|hang|stand|stood|hung|freez|froze|wait|block|paus)\w*\b.{0,25}"
                r"\b(?:10 ?(?:s|sec|seconds)|ten seconds)\b"
            ),
            r"\b(?:10|ten)[- ](?:s|seconds?) (?:stops?|stalls?|hangs?|pauses?|waits?|freezes?)",
        ),
    ),
    "semisync_mutex": (
        "sessions and dump threads contend for a lock of the semi-synchronous plugin.",
        (
            r"(?:mutex|lock|futex|contention)\b.{0,60}(?:replsemisync|semi[- ]?sync(?:source|master)?::|lock binlog\b)",
            (
                r"(?:replsemisync|semi ?sync)\w*::(?:lock|unlock|report ?reply|commit ?trx|write ?tranx|update sync"
                r" header).{0,60}(?:mutex|lock wait|contention|futex)"
            ),
            r"wait/synch/(?:mutex|cond)/semisync",
            r"(?:dump threads?|binlog sender)\b.{0,50}(?:mutex|lock log|lock binlog|contention|contend)",
            r"(?:mutex|lock log|lock binlog|contention)\b.{0,50}(?:dump threads?|binlog sender)",
            r"ack ?receiver\b.{0,50}(?:mutex|lock|contention|spin)",
        ),
    ),
    "replica_receiver_busy": (
        "the replica's receiver, which acknowledges, waits for something itself.",
        (
            (
                rf"(?:{_REPLICA}.{{0,15}})?{_RECEIVER}\b.{{0,60}}(?:queue event|write (?:buffer|event)|relay log"
                r"|mutex|lock|waits?|f(?:data)?sync)"
            ),
            r"log space lock|harvest bytes written",
            rf"{_REPLICA}\w*\b.{{0,25}}(?:data lag|has lag)\b.{{0,40}}io\b.{{0,15}}(?:working|running)",
        ),
    ),
    "acks_demanded": (
        "from some moment on, commits need acknowledgements.",
        (
            rf"wait {_REPLICA} count\W{{0,6}}0 ?(?:=>|->|to|→) ?[1-9]",
            r"semi[- ]?sync\w*(?: \w+)? (?:is |was |gets? |were )?(?:switched|turned) on\b(?!.{0,60}off)",
            r"(?:enabl\w+|activat\w+|switch\w* on|turn\w* on) semi[- ]?sync",
        ),
    ),
    "ack_wait_without_end": (
        "a commit waits for an acknowledgement for minutes, or with a timeout of hours.",
        (
            Words(r"semi-?sync (?:ack|master|source|slave|replica)\b[^:]{0,40}?\b(\d+) ?s(?:ec\w*)?\b", 60),
            Words(r"semi sync (?:master|source) timeout\D{1,4}(\d+)", 3_600_000),
        ),
    ),
    "rotation_in_stack": (
        "a thread rotates or deletes binary log files.",
        (
            (
                r"(?:mysql bin log|binlog)::(?:new file|rotate|purge (?!index)|open binlog|remove dead|find log pos"
                r"|update log index)"
            ),
            r"\bpurge (?:first log|logs before date|logs maximum)",
        ),
    ),
    "gtid_lock": (
        "sessions contend for the lock of the GTID sets.",
        (
            r"global (?:sid|tsid) lock|gtid state::(?:update on|update gtids|generate automatic|lock (?:sid|owned))",
            r"wait/synch/(?:rwlock|mutex|cond)/sql/(?:gtid|global (?:sid|tsid))",
            r"rpl (?:slave|global gtid) \w*state::(?:record gtid|gtid delete|check and put)",
        ),
    ),
    "gtid_table": (
        "the table of executed GTIDs is written or compressed.",
        (
            r"(?:query id \d+ )?compress\w* (?:the )?(?:mysql\.)?gtid executed|gtid executed compression",
            r"gtid executed(?: table)?\b.{0,30}compress",
            r"gtid(?: table)? persist\w*|clone persist gtid|clone gtid persist|compress gtid table",
            r"gtid state::(?:save|compress)|thread/sql/compress gtid table",
            r"gtid slave pos\b.{0,40}(?:million|rows|grow\w*|huge|large|scan|bloat|not deleted)",
        ),
    ),
    "cluster_split": (
        "the nodes of a cluster lose contact with each other.",
        (
            r"received non-?primary|view\(view id\(non ?prim",
            r"partitioned \{ ?[0-9a-f]{4,}",
            r"no messages seen in|nonlive peers|turning message relay requesting on",
            r"declaring .{0,40}(?:inactive|dead|non-?live)|suspect(?:ing|ed) (?:node|peer)|peer .{0,30}timed out",
            r"connection to peer .{0,60}(?:timed out|lost|reset)|(?:asio|gcomm).{0,30}(?:timed out|broken pipe|reset)",
        ),
    ),
}

_MORE_SIGNATURES: Final[dict[str, tuple[str | Words, ...]]] = {
    "workers_idle": (r"prior transaction to start commit",),
    "find_row": (r"(?:keys?|ind(?:ex|ices|exes))\b.{0,25}\b(?:nullable|null columns?|allows? null)",),
    "lag_jumps": (
        (
            r"(?:seconds behind \w+|\blag|\bdelay)\b.{0,40}(?:now and then|from time to time"
            r"|for a (?:moment|second|reading)|moments?\b|momentar|sporadic|occasional|\bspik)"
        ),
    ),
    "blocks_replica": (r"select /\*!40001 sql no cache|flush tables with read lock|lock instance for backup",),
    "cold_cache": (
        r"(?:after|since|following)\b.{0,20}(?:switch-?overs?|planned switch|promotion|fail-?overs?)\b",
        r"\b(?:weekly|planned|monthly|regular|each|every) (?:planned )?(?:switch-?over|fail-?over|promotion)",
    ),
    "large_transaction": (
        r"\b(?:delete|update)\b.{0,20}without (?:a )?where\b",
        Words(r"(?:delete|update|insert)\w*\b.{0,40}?(\d[\d,]{5,}) rows", 100_000),
    ),
}

for _area in (_OF_RECEIVING, _OF_APPLYING, _OF_LAG, _OF_COMMITS):
    register_words(_area)
add_words(_MORE_SIGNATURES)
