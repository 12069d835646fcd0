"""Which messages does a report quote from an error log or from a client? Each names the mechanism that writes it.

The wording is that of the servers' own sources (MySQL's `messages_to_error_log.txt` and `messages_to_clients.txt`,
MariaDB's `errmsg-utf8.txt`, the logs of InnoDB, of the semi-synchronous plugin, of group replication and of Galera).
"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Words, add_words

_OF_STORAGE: Final[dict[str, tuple[str | Words, ...]]] = {
    "pool_misses": (
        r"number of locks exceeds the lock table size",
        r"\b1206\b",
        r"er lock table full",
        r"percent of the buffer pool is occupied",
        r"difficult to find free blocks in the buffer pool",
        r"consider increasing the (?:buffer )?pool",
    ),
    "page_flushing": (
        r"difficult to find free blocks",
        r"search iterations",
        r"waiting for page cleaner",
        r"flushed=\d+",
        r"the settings might not be optimal",
        r"pending (?:writes|flushes).{0,20}lru",
    ),
    "redo_full": (
        r"redo log writer is waiting",
        r"waiting for (?:a )?new redo log file",
        r"10 ?% of (?:the )?(?:total )?redo log",
        r"greater than 10% of redo log",
        r"combined size of (?:the )?(?:ib )?log ?files?",
        r"consider (?:increasing|raising) innodb (?:redo log capacity|log file size)",
        r"checkpoint age target",
        r"oldest (?:dirty )?page.{0,20}log",
        r"overwrit\w* the tail",
    ),
    "disk_full": (
        r"disk (?:is )?full \(",
        r"waiting for (?:some(?:one|body) to )?free (?:some )?space",
        r"\b(?:err(?:or|no)?|os error)\W{0,3}28\b",
        r"the table .{0,40}is full",
        r"er disk full|er record file full",
        r"error writing file .{0,60}(?:28|no space)",
        r"out of (?:disk )?space",
    ),
    "degraded_storage": (
        r"operating system error number (?:5|30)\b",
        r"read-?only file ?system",
        r"remount(?:ed|ing)? (?:read-?only|ro)",
        r"buffer i/o error",
        r"blk update request",
        r"ata\d+(?:\.\d+)?: (?:exception|hard reset|failed)",
        r"task \S+ blocked for more than",
        r"hung task|blocked for more than \d+ seconds",
        r"write error|fsync.{0,20}returned e(?:io|nospc)",
        r"page corrupt|checksum mismatch|corrupted page",
    ),
    "swap": (
        r"cannot allocate memory",
        r"out of memory|oom-?killer|oomkilled",
        r"killed process \d+",
        r"exit code 137",
        r"memory cgroup",
    ),
}

_OF_LOCKS: Final[dict[str, tuple[str | Words, ...]]] = {
    "row_lock_wait": (
        r"try restarting transaction",
        r"\*\*\* \(\d\) (?:waiting|holds)",
        r"we roll back transaction",
        r"trx has been waiting",
        r"er lock (?:wait timeout|deadlock)",
        r"too deep or long search in the lock table",
        r"sqlstate\W{0,3}(?:40001|hy000\W{0,3}general error: 1205)",
        r"could not obtain lock|er lock nowait|error 3572",
        r"record has changed since last read|\b1020\b.{0,20}record",
        r"innodb: transactions deadlock detected",
    ),
    "latch": (
        r"semaphore wait has lasted",
        r"innodb: ### \w+ starts innodb monitor",
        r"long wait for semaphore|a long semaphore wait",
        r"latch(?:ing)? order|a writer \(thread id",
        r"reserved (?:it )?in mode",
        r"was? reserved in mode",
        r"waiters flag|spin rounds",
    ),
    "table_cache": (
        r"\bemfile\b|errno:? 24\b|error 24\b",
        r"could not increase number of max open files",
        r"close (?:more )?files|innodb open files",
        r"trying to open too many tablespaces|open files limit",
        r"table definition .{0,15}changed.{0,15}retry",
        r"reprepare|re-prepare",
    ),
    "many_sessions": (
        r"er con count|error 1040",
        r"can't create (?:a )?(?:new )?thread",
        r"resource temporarily unavailable",
        r"too many (?:active )?concurrent trans",
        r"threadpool.{0,30}(?:blocked|full|could not create)",
    ),
    "metadata_lock": (r"er lock wait timeout.{0,30}ddl",),
    "purge": (
        r"undo tablespace.{0,30}trunc",
        r"too many active (?:concurrent )?transactions",
        r"trx undo|undo segments? (?:is|are) full",
        r"snapshot too old",
        r"rollback of (?:trx|non-prepared)|rolling back trx",
    ),
}

_OF_REPLICATION: Final[dict[str, tuple[str | Words, ...]]] = {
    "applier_error": (
        r"could not execute \w+ rows event",
        r"ha err (?:key not found|found dupp key)",
        r"slave sql(?: for channel \S+)?: (?:error|could)",
        r"error running query, slave sql thread aborted",
        r"fix the problem, and restart the (?:slave|replica) sql thread",
        r"coordinator stopped because there were error",
        r"table .{0,40}doesn't exist.{0,25}(?:query|slave|replica)",
        r"last sql error: \w",
        r"relay log read failure|event crc|could not parse relay log",
        r"replica(?:tion)? (?:sql|applier) thread (?:stopped|aborted)",
        r"(?:slave|replica) (?:worker|sql)\b.{0,40}(?:failed|exited|abort)",
        r"error 1(?:146|364|406|677|756|837|872|950|964)\b",
    ),
    "receiver_behind": (
        r"failed (?:master|source) event read",
        r"error (?:reading|connecting to|reconnecting to) (?:packet|master|source)",
        r"got fatal error 1236",
        r"heartbeat period|heartbeat.{0,25}(?:lost|late|timeout)",
        r"(?:slave|replica) i/o(?: thread| for channel \S+)?: ",
        r"server[_ -]?(?:uu)?id.{0,30}(?:same|equal|duplicate|zombie)",
        r"a (?:slave|replica) with the same server",
        r"log event entry exceeded max allowed packet",
        r"purged (?:binary logs|required)",
        r"binlog dump(?: gtid)?\b",
        r"finished reading one binlog",
        r"sending binlog event",
        r"registering (?:slave|replica) on",
        r"requesting binlog dump",
        r"auto[- ]?position\b.{0,50}(?:search|scan|read|binlog|start)",
        r"semi-?sync.{0,20}(?:slave|replica) net",
    ),
    "ack_lost": (
        r"(?:semi-?sync|rpl semi).{0,60}no (?:semi-?sync )?(?:slaves?|replicas?)",
        r"semi ?sync (?:master|source) wait no (?:slave|replica)",
        r"read semi-sync reply (?:network error|magic number error)",
    ),
    "ack_timeout": (
        r"timeout waiting for reply of binlog",
        r"semi-sync up to file",
    ),
    "semisync_switches": (
        r"semi-sync replication (?:switched|initialized|disabled|enabled).{0,80}semi-sync replication",
        r"repeatedly.{0,30}(?:async|semi)",
    ),
}

_OF_CLUSTERS: Final[dict[str, tuple[str | Words, ...]]] = {
    "unreachable": (
        r"has become unreachable",
        r"not able to reach a majority",
        r"was expelled from the group",
        r"due to (?:a )?network failure",
        r"view is no longer viable",
        r"declaring .{0,40}(?:inactive|stable|dead|non-?live)",
        r"turning message relay requesting on",
        r"nonlive peers|no messages seen in",
        r"peer .{0,30}(?:timed out|timeout|last seen)",
        r"delayed list|auto[- ]?evict|evicted from",
        r"non-prim\b|state change.{0,15}->.{0,15}open",
        r"keepalive timeout|no activity from",
        r"wsrep has not yet prepared node",
        r"unreachable majority|expel timeout",
        r"er wsrep not ready|error 1047",
    ),
    "recovering": (
        r"group replication recovery",
        r"recovery (?:channel|metadata|stage|process)",
        r"only members with|donor.{0,30}recovery",
    ),
    "state_transfer": (
        r"exceeds the limit of \d+",
        r"wsrep sst \w+",
        r"shifting .{0,20}(?:->|to) ?(?:joiner|donor(?!/desync))|joiner\)? ?(?:->|to) ?joined",
        r"requesting state transfer",
        r"(?:is|not) (?:an )?(?:i|s)st-?able|ist (?:is|not|un)",
        r"ist (?:receiver|sender|request)",
        r"wsrep local state comment: (?:donor|joiner|joining|joined)",
        r"member .{0,30}requested state transfer",
        r"streaming the backup|sst (?:request|process|script|timed)",
        r"history .{0,20}gcache|recovering gcache",
        r"full (?:state )?(?:copy|resync)",
    ),
    "write_set_size": (
        r"max(?:imum)? writeset size exceeded",
        r"wsrep max ws|er error during commit.{0,20}(?:90|message too long)",
        r"failed to (?:append|extend|replicate) .{0,25}write ?set",
        r"writeset .{0,20}(?:bytes|mb|gb|too)",
        r"error on write to group.{0,20}size|transaction of size",
        r"group replication transaction size limit",
        r"streaming replication|fragment size|frag size",
    ),
    "cluster_conflicts": (
        r"wsrep: mdl conflict|mdl bf-bf|bf-bf",
        r"wsrep: (?:cluster|winning|victim)",
        r"applier failed .{0,40}(?:lock|retry)",
        r"conflict state|must (?:abort|replay)|wsrep conflict",
        r"er lock deadlock.{0,20}commit|plugin instructed the server to rollback",
        r"error 3101|error 1180",
        r"commit failed for reason",
    ),
    "galera_pause": (
        r"sendfc|send\w* fc|fc (?:stop|cont)\b",
        r"gcs\.fc",
        r"provider (?:paused|pause)|wsrep: pausing",
    ),
    "galera_pause_hint": (r"failed to report last committed",),
    "total_order": (
        r"\btoi\b|to isolation|rolling schema upgrade",
        r"in toi pre",
        r"wsrep: in toi",
    ),
    "global_lock": (
        r"desyncs? and paus",
        r"provider paused at",
        r"wsrep: (?:server|provider) paus",
    ),
}

_OF_CLIENTS: Final[dict[str, tuple[str | Words, ...]]] = {
    "idle_clients": (
        r"connection is not available, request timed out",
        r"queuepool limit|timeout error: queuepool",
        r"unable to acquire jdbc connection|cannot get a connection",
        r"pool is (?:exhausted|full|empty)",
        r"timed? ?out waiting for (?:a )?(?:free )?connection",
        r"max connect timeout reached while reaching hostgroup",
    ),
    "network_trouble": (
        r"(?:got )?(?:an error|timeout) (?:reading|writing) communication packets",
        r"lost connection to (?:mysql|server|master|source)",
        r"server has gone away",
        r"communications link failure",
        r"broken pipe|connection timed out|no route to host",
        r"aborted connection",
        r"rx (?:drop|err)|tx (?:drop|err)|crc errors?",
    ),
    "remote_client": (
        r"could not be resolved|hostname .{0,30}does not resolve",
        r"unauthenticated",
    ),
    "bug": (
        r"got signal|mysqld got|segfault|sigsegv|sigabrt",
        r"debug assertion|assertion failure|assert failed",
        r"innodb: (?:failing )?assertion",
        r"double free|use after free|heap corruption",
        r"internal error",
    ),
}

for _area in (_OF_STORAGE, _OF_LOCKS, _OF_REPLICATION, _OF_CLUSTERS, _OF_CLIENTS):
    add_words(_area)
