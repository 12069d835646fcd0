"""Which thread states does a report name? In the words of every release of MySQL and MariaDB.

Where a state is shown by several mechanisms it stands with the words of the hint. Sources: the manuals' chapters on
thread states, `rpl_replica.cc` and `sql_class.cc` of MySQL, `mysqld.cc` of MariaDB (its table of stages).
"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, add_words, register_words

_WAITS: Final[dict[str, Group]] = {
    "latch_wait": (
        "threads are seen waiting for a named mutex or latch.",
        (
            r"waiting (?:for|on) (?:the |an? )?(?:\w+ )?(?:mutex|latch|rw-?lock)\b",
            (
                r"waiting (?:for|on) (?:the )?lock (?:open|log|thd|grant|status|index|sync|plugin|global|delete|"
                r"system|active|xid)"
            ),
            r"waiting (?:for|on) (?:the |an? )?(?:index tree|index|tree|page) latch",
            r"has waited at \S+ line \d+ for",
            r"\b(?:buf|btr|row|trx|lock|dict|log|fil|srv|ibuf|read|hash)0[a-z]+\.(?:cc?|ic|h)\b",
            r"mutex spin wait|lll lock wait|native queued spin lock slow",
        ),
    ),
    "query_cache_wait": (
        "sessions wait for the lock of the query cache.",
        (
            r"waiting (?:for|on) (?:the )?query cache",
            r"invalidating query cache",
            r"storing result in query cache",
        ),
    ),
}

_STATES: Final[dict[str, tuple[str | Words, ...]]] = {
    "sync_wait": (
        r"waiting for (?:handler|semi-sync|commit) (?:commit|flush)",
        r"^(?:starting )?commit(?:ting)?$",
        r"state\w*:? (?:starting )?commit\b",
        r"sessions?(?: \w+)? in (?:state )?.?(?:commit|query end)",
        r"\bquery end\b",
    ),
    "sync_wait_hint": (
        r"freeing items",
        r"\bend of update",
        r"closing handler",
    ),
    "metadata_lock": (
        (
            r"waiting for (?:table|schema|stored (?:function|procedure|package body)|trigger|event|tablespace|"
            r"foreign key|check constraint|column statistics|resource groups|spatial reference\w*|locking service|"
            r"user level) (?:\w+ )?(?:metadata )?lock"
        ),
        r"waiting for acl (?:cache )?lock",
    ),
    "global_lock": (
        r"waiting for (?:the )?(?:global read|commit|backup|backup instance|instance|global) lock",
        r"waiting for (?:all running commits|release of readlock|global schema lock)",
        r"^waiting for tables?$|state\w*:? waiting for tables?\b",
        r"flushing tables|waiting for (?:table )?flush",
        r"killing slave|super read only|read only .{0,12}(?:wait|hang|block)",
    ),
    "table_level_lock": (
        r"waiting for table (?:level )?lock\b|system lock.{0,20}(?:myisam|external)",
        r"state\w*:? (?:table lock|locked)\b",
        r"waiting on (?:a )?table lock|insert delayed|delayed insert|waiting for insert",
    ),
    "schema_change": (
        r"altering table|committing alter table|preparing for alter|rename result table|manage keys",
        r"repair (?:by sorting|with keycache|done)|copy(?:ing)? to tmp table.{0,30}alter|creating index",
        r"adding indexes|enabling keys|discard(?:ing)?(?: or|_or) import|checking table",
        r"waiting for (?:the )?online alter|altering\b",
    ),
    "row_lock_wait_hint": (
        r"searching rows for (?:update|delete)",
        r"\bupdating\b.{0,30}\b\d+ ?(?:s|sec|sessions|threads)\b",
        r"updating reference tables",
        (
            r"\b(?:sessions|threads|connections|statements)\b.{0,20}\b(?:in|state) .?(?:updating|update|"
            r"statistics)\b"
        ),
        r"waiting for row lock|row lock wait",
        r"\bread(?:ing)? for update",
    ),
    "named_lock": (
        r"\buser lock\b",
        r"waiting for (?:user|named|advisory)",
        r"(?<!to )\bget lock\b|release[ _]lock|is[ _]used[ _]lock",
        r"(?:user|named|advisory|application|app|cooperative)(?:-level)?[- ](?:level )?locks?\b(?! wait)",
        r"dbms lock|lock service|locking service",
        r"(?:own|application's|its|a) commit lock|lock of (?:the |its )?(?:application|framework|orm)",
        r"mutex of the application|semaphore of the application",
    ),
    "admission_queue": (r"sleeping before (?:entering|joining)|declared inside innodb 0",),
    "table_cache": (r"^opening table|^closing table|opening (?:system )?tables?\b|checking permissions.{0,20}\d+ s",),
    "query_cache": (
        r"checking query cache|storing result in query cache|sending cached result|invalidating query cache",
        r"waiting (?:for|on) query cache",
        Words(r"qcache lowmem prunes\D{0,4}(\d[\d,]*)", 10000),
    ),
    "scan": (
        r"sending data\b.{0,20}\d{2,} ?s|copying to (?:group|tmp) table|copying to tmp table on disk",
        r"creating (?:sort index|tmp table)|sort(?:ing)? (?:for|result)|removing (?:duplicates|tmp table)",
        r"converting heap|executing\b.{0,15}\d{3,} ?s|explaining",
        r"table scan|index scan|scan of|scans? (?:the|whole|all|every|entire)",
    ),
    "idle_clients": (
        r"^sleep$|command:? sleep|state\w*:? sleep\b",
        r"reading from net|writing to net|sending to client|receiving from client|waiting for client",
        r"net (?:read|write)\b",
        r"waiting for next|starting\b.{0,10}idle",
        r"\buser sleep\b|\bsleep ?\(",
    ),
    "connects": (
        r"\blogin\b|unauthenticated user|^connecting|connecting host|init connect|reading (?:auth|initial)",
        r"receiving initial",
    ),
    "deliberate_delay": (r"waiting until (?:master|source)[ _]delay|until (?:master|source) delay seconds after",),
    "ack_wait": (
        r"waiting for semi-?sync(?:hronous)?|waiting for (?:semi-?sync )?(?:ack|slave|replica|acknowledge)",
        r"semi-?sync ack from",
        r"waiting for an ack",
    ),
    "commit_order": (
        r"waiting for (?:preceding|prior|previous) transaction(?! to start)",
        r"waiting for (?:its turn|the previous|other workers?) to commit|waiting for commit order",
    ),
    "coordinator": (
        r"waiting for (?:room in worker|(?:slave|replica) workers? (?:to|free)|worker (?:thread )?event queue)",
        r"free pending events",
        r"waiting for (?:an )?(?:idle|free) worker",
    ),
    "workers_idle": (
        r"waiting for work from (?:the )?(?:sql|main sql) thread",
        r"waiting for an event from (?:the )?coordinator",
        r"waiting for (?:other (?:master|source) connection|dependent transaction)",
        r"waiting while replication worker",
        r"\b\d+ of (?:the )?\d+ (?:\w+ )?workers",
        r"workers? (?:are |is |stay |mostly )?(?:idle|unused|without work|wait)",
    ),
    "row_event": (
        r"reading event from (?:the )?relay log|applying batch|executing (?:replication )?event",
        r"(?:update|write|delete) rows log event::(?:ha |find|write)",
        r"slave sql running state: (?:system lock|reading event|applying)",
    ),
    "receiver_behind": (
        r"waiting for (?:the )?(?:slave|replica) (?:sql|mutex|i/?o)|waiting to (?:reconnect|finalize)",
        r"reconnecting after|connecting to (?:master|source)|checking (?:master|source) version",
        r"registering (?:slave|replica)|requesting binlog|queue?ing (?:master|source) event|flushing relay log",
        r"waiting to get readlock|waiting for (?:slave|replica) (?:mutex|thread)",
        r"(?:master|source) has sent all binlog|finished reading one binlog|sending binlog event to",
        r"free enough relay log space",
    ),
    "applied_all": (r"has read all relay log|waiting for the slave i/o thread to update|waiting for more updates",),
    "blocks_replica": (
        (
            r"(?:sql thread|applier|worker|replica|slave)\b.{0,60}waiting for (?:table|global|backup|commit|row|"
            r"metadata)"
        ),
        r"waiting for (?:the )?(?:backup|global read) lock",
        r"(?:slave|replica) (?:transaction )?retr(?:ied|ies)\b",
    ),
    "commit_monitor": (
        r"wsrep: (?:initiating|in) (?:pre-?commit|replicat)|wsrep in pre-?commit|wsrep: pre-?commit/certif",
        r"waiting for certification|certifying",
        r"wsrep: (?:committing|committed|ordered|replaying|waiting)",
    ),
    "galera_pause": (r"wsrep: (?:paused|flow)|waiting for flow control|wsrep: .{0,20}flow control",),
    "total_order": (
        r"preparing for to isolation|waiting to execute in isolation|to isolation",
        r"wsrep: (?:initiating toi|toi)",
    ),
    "group_flow_control": (r"waiting for (?:group replication )?flow control|group replication flow",),
    "consensus": (
        r"waiting for (?:group )?(?:consensus|ordering|certification)|executing hook on transaction",
        r"waiting for hook",
        r"hook on transaction",
    ),
    "unreachable": (
        r"waiting for (?:majority|quorum|view change)|member state: (?:unreachable|error|offline)",
        r"\bunreachable\b",
    ),
    "recovering": (r"member state: recovering|\bstate\b.{0,12}recovering|cloning|waiting for clone",),
    "purge": (r"rolling back|rollback\b.{0,25}\d{3,}|killed\b.{0,30}rollback|waiting for (?:purge|undo)",),
}

register_words(_WAITS)
add_words(_STATES)
