"""Which functions and wait events does a report name? Symbols of perf, pstack and the Performance Schema.

Names are those of the sources of MySQL 5.0 to 9, MariaDB, Galera and Linux. A function that several mechanisms call is
left out, or stands with the words of the hint.
"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Words, add_words

_OF_COMMITS: Final[dict[str, tuple[str | Words, ...]]] = {
    "sync_wait": (
        r"log write and flush|log flush (?:notifier|up to|do wait)|log files? (?:flush|write)",
        r"log\.flusher|log flusher|log write notif",
        r"fil flush|fil io flush|pfs os file flush|os file flush func",
        r"os file sync|file_flush_buffers|posix fsync",
        r"mysql bin log::(?:sync binlog file|flush and sync|flush_and_sync|ordered commit|process commit stage)",
        r"binlog (?:group )?commit.{0,20}stage|change stage",
        r"wait/synch/cond/sql/mysql bin log::cond done",
        r"trx (?:flush log|commit complete for mysql|prepare)",
        r"innobase (?:flush logs|commit|xa prepare)",
        r"cond log flushed|log flush order",
        r"waiting for .{0,12}log (?:flush|write)",
        r"\b(?:strace|syscalls?|io top|iotop)\b.{0,30}\bf(?:data)?sync",
        r"redo log (?:flush|fsync|sync)",
        r"(?:log|commit).{0,15}fsyncs?",
    ),
    "group_commit": (
        r"prepare commit mutex",
        r"trx group commit|queue for group commit",
        r"lock prepare ordered|lock commit ordered|lock after binlog sync",
        r"transaction participates in group",
    ),
    "commit_delay": (
        r"wait for sufficient commits",
        r"stage manager::\w*wait (?:count|for)",
        r"binlog commit wait|commit wait usec",
        r"innodb commit concurrency|commit siblings",
    ),
    "binlog_cost": (
        r"binlog cache (?:data::)?(?:flush|write|finalize)|mysql bin log::write cache|do write cache",
        r"wait/synch/mutex/sql/mysql bin log::lock log",
        r"thd::(?:binlog write row|binlog update row|decide logging format)",
        r"rows log event::do add row data|pack row\b",
        r"io cache.{0,30}(?:binlog|spill|temp)",
        r"binlog (?:stmt )?cache disk use|binlog cache.{0,25}(?:tmp|temp|disk|spill)",
        r"log[- ](?:slave|replica)[- ]updates",
        r"binlog (?:volume|bytes|mb|gb)",
    ),
    "binlog_rotation": (
        r"mysql bin log::(?:new file|rotate|purge|open binlog|remove dead|rotate and purge)",
        r"purge (?:logs|first log|log(?:s)? before|binary logs|index entry)",
        r"gtid table persistor|compress gtid table|gtid state::save",
        r"lock index\b",
        r"previous gtids|init gtid sets|read gtids from binlog",
        r"deletes? (?:the |old )?(?:binary|binlog)",
        r"expire logs days|binlog expire logs",
    ),
    "binlog_compression": (
        r"compression::|zstd compress|transaction payload|payload event",
        r"log bin compress|binlog transaction compression",
        r"uncompress event|query compressed",
    ),
    "gtid": (
        r"gtid state::|global sid lock|global tsid lock|gtid mode\b|generate automatic gtid",
        r"gtid (?:slave )?pos\b|gtid cleanup|rpl slave state::record gtid",
        r"session track gtids|enforce gtid|wait for executed gtid",
    ),
    "doublewrite": (
        r"buf dblwr|dblwr::|doublewrite\b|wait/synch/mutex/innodb/buf dblwr",
        r"#ib \d+ \d+\.dblwr",
    ),
    "ack_wait": (
        r"replsemisync(?:master|source)?::|commit ?trx\b|report ?binlog ?update",
        r"repl semi report|repl semisync|lock binlog ?$",
        r"cond binlog send|semi sync (?:master|source)::",
        r"active ?tranx",
    ),
}

_OF_ENGINE: Final[dict[str, tuple[str | Words, ...]]] = {
    "redo_full": (
        (
            r"log (?:free check|checkpointer|wait for space|request checkpoint|make checkpoint|make latest "
            r"checkpoint)"
        ),
        r"log (?:preflush pool|buffer extend|margin checkpoint|check margins)",
        r"log\.checkpointer|log writer wait for archiver|log write wait on",
        r"buf flush (?:sync|wait flushed|ahead)|buf pool flush wait",
    ),
    "page_flushing": (
        r"buf (?:flush|lru|pool get|page make young|page cleaner)",
        r"pc (?:flush|sleep|wait|request)|page cleaner coordinator",
        r"buf lru (?:scan|flush|free from|get free)",
        r"lru manager|buf dump",
        r"buffer flush (?:sync|batch|background|adaptive|neighbor)",
        r"innodb buffer pool wait free",
        Words(r"modified db pages\D{0,4}(\d{6,})", 100000),
        Words(r"dirty (?:pages?|pages? pct|percent|bytes)?\D{0,8}(\d\d(?:\.\d+)?) ?%", 75, 100),
    ),
    "pool_misses": (
        r"buf (?:read page|read ahead|wait for read|page init for read|page read)",
        r"fil (?:read|io).{0,20}read|os file (?:read|pread)|\bpread(?:64)?\b",
        r"row search.{0,30}(?:disk|io|read)",
        r"wait/io/file/innodb/innodb data file",
        r"ibuf (?:insert|merge|contract|delete)",
        Words(r"pages? read\D{0,10}(\d[\d,]*(?:\.\d+)?) ?/ ?s", 100),
        Words(r"(\d[\d,]*(?:\.\d+)?) reads/s, [\d.]+ creates", 100),
        r"evict(?:s|ed|ing|ion)\b.{0,15}page|pages? .{0,10}evict",
    ),
    "purge": (
        r"row (?:purge|vers|undo|sel (?:build|get) .{0,6}(?:prev|clust|old))",
        r"trx (?:purge|undo|rseg|rollback)|purge (?:sys|queue)",
        r"undo (?:truncate|rseg)",
        r"mvcc::|readview::|view (?:open|close)|lock clust rec cons read",
        r"trx rseg history|rseg history|history len",
        r"row search.{0,10}(?:old|prev) ver",
        r"purge (?:invoked|undo log pages|del mark)",
    ),
    "row_lock_wait": (
        r"lock (?:wait suspend|rec (?:lock slow|enqueue|has|convert|other)|grant|move|deadlock|table enqueue)",
        r"deadlock check|lock wait snapshot|lock wait thread|row lock table",
        r"row mysql handle errors|lock clust rec (?:read|modify)|lock sec rec",
        r"row ins (?:check foreign|duplicate)|row upd check references",
        r"ha innobase::(?:try semi|unlock row)",
        r"wait/lock/innodb|innodb row lock (?:waits|time|current)",
        r"x locks rec but not gap|locks gap before rec|lock x\b|lock s\b",
        r"data lock waits|innodb lock waits|blocking (?:trx|pid|lock)",
    ),
    "metadata_lock": (
        r"mdl (?:context|wait|request|deadlock)|open table get mdl lock|mdl key",
        r"thd::wait for mdl|lock schema name|acquire (?:shared|exclusive) .{0,12}(?:mdl|lock)",
        r"wait/lock/metadata",
        r"wait while table is (?:flushed|used|opened)|upgrade shared lock",
    ),
    "global_lock": (
        r"global read lock::|make global read lock|lock global read",
        r"close cached tables|tdc wait for old version|flush tables",
        r"backup stage|backup block",
    ),
    "table_dropped": (
        r"fil (?:delete|truncate|space truncate|close)|row (?:drop|truncate|discard)",
        r"ha innobase::(?:delete table|truncate)",
        r"buf lru (?:flush or remove|drop page hash|remove pages|remove all)|buf flush or remove",
        r"btr (?:drop ahi|search drop page hash)|btr search (?:check|disable)",
        r"mysql rm table|dd drop|dict drop",
        r"\bunlink(?:at)?\b.{0,20}ibd",
    ),
    "schema_change": (
        r"row merge|row log (?:apply|table apply|online)|prepare inplace alter|commit inplace alter",
        r"inplace alter",
        r"mysql alter table|copy data between tables|mysql recreate table|ddl::|parallel reader.{0,10}ddl",
        r"online alter log|innodb online alter",
    ),
    "latch": (
        (
            r"\b(?:buf pool|kernel|log sys|trx sys|lock sys|dict|fil system|fil shard|hash table|btr|ibuf|index|"
            r"autoinc|rseg|undo|zip|purge sys|srv innodb monitor|recv sys|page zip|flush list|free list) "
            r"?(?:mutex|latch|rw ?lock|lock mutex)"
        ),
        (
            r"(?:lock|thr lock) (?:open|thd (?:count|list|data|remove)|grant|acl|plugin|status|global system "
            r"variables|alarm|charset|error log|prepared stmt count|user conn|table share|log info)\b"
        ),
        r"mdl map::|lf (?:pinbox|hash|dynarray)|table cache(?: manager)?::(?:lock|m lock)",
        r"table definition cache lock",
        r"os event (?:wait|set)|os cond|sync array (?:wait|reserve|print|get|find)|wait mutex ev",
        r"pthread (?:mutex|rwlock|cond) (?:lock|rdlock|wrlock|trylock|unlock slow)|lll (?:lock|mutex)|ll lock",
        r"rw lock (?:s|x|sx|u) (?:lock|spin)|sux lock|ssux lock|srw (?:lock|mutex)|rw lock low",
        r"raw spin|queued spin|spin lock slow|osq lock|mutex spin on owner|rwsem (?:down|spin)",
        r"futex (?:wait|wake|q)",
        r"safe mutex|pfs (?:mutex|rwlock)|inline mysql (?:mutex|rwlock|cond)|my mutex|ttaseventmutex|ttasfutex",
        r"synch/(?:mutex|rwlock|sxlock|prlock)",
        r"malloc consolidate|int (?:malloc|free)\b|arena get|ptmalloc|tcmalloc.{0,15}(?:central|lock)",
        r"je (?:malloc|arena)",
        r"mmap sem|mmap lock|down (?:read|write)\b|tlb flush|flush tlb",
        r"btr cur (?:search to nth|pessimistic|optimistic)|btr page (?:split|alloc)",
        r"pessimistic (?:insert|delete)",
        r"trx (?:sys|assign|start low|set rw)|trx sys mutex|max trx id",
        r"dict (?:sys|operation|table open|stats|index|mutex|table close)",
        r"lock on the (?:current|active) (?:relay|binary) log|lock log\b|relay log (?:mutex|lock)",
    ),
    "autoinc_lock": (
        r"row lock table autoinc|dict table autoinc|innobase lock autoinc|ha innobase::get auto increment",
    ),
    "adaptive_hash": (r"btr search|btr0sea|hash index latch|ahi (?:latch|partition)|innodb adaptive hash",),
    "admission_queue": (
        r"srv conc|innobase srv conc|innobase (?:begin|declare) ?\w* ?conc|thread concurrency",
        r"concurrency tickets",
        r"waiting to enter innodb|wait(?:s|ing)? (?:for|in) admission",
    ),
    "fulltext": (
        r"\bfts (?:sync|optimize|cmp|add doc|tokenize|parallel|write|commit|query|ast)|ft cache|ft min token",
        r"ft boolean",
    ),
    "compressed_tables": (
        r"page zip|buf zip|zip (?:compress|decompress|reorganize|write)|unzip lru|deflate|inflate(?:_fast)?",
        r"longest match|crc32 z|adler32|lz4|lzma|snappy|lzo",
        r"compress ops|innodb cmp|compression (?:level|failure|pad)",
    ),
    "query_cache_wait": (
        r"query cache::(?:lock|try lock|insert|invalidate|unlock|free)|structure guard|lock invalidation",
    ),
    "query_cache": (r"query cache::|lock invalidation|structure guard|query cache block",),
    "table_cache": (
        r"open table(?:s|_from_share| def| from share)?\b|get table (?:def|share)",
        r"tdc (?:acquire|release|lock|open|refresh)|intern close table|close thread table",
        r"table cache (?:miss|overflow|hit|instance)|free used table|unireg|readfrm|open binary frm|dd::cache",
        r"innobase.{0,6}open\b|ha innobase::open|fil (?:node open|space acquire|load)|fil open",
    ),
    "scan": (
        r"filesort|rr (?:sequential|quick)|join (?:read next|init read)|sub select",
        r"ha innobase::(?:rnd next|index next|general fetch)",
        r"tablescaniterator|sortbuffer|temptable::|create tmp table|ha tmp|hash join",
    ),
    "plan": (
        r"test quick select|make join statistics|best access path|greedy search|check quick|records in range",
        r"btr estimate|optimize straight",
    ),
    "performance_schema": (
        r"start mutex wait|pfs digest|digest add token|pfs start|log slow statement|general log write",
        r"audit (?:class|notify|api)|mysql audit",
    ),
    "swap": (
        r"shrink (?:page list|inactive|lruvec|node|slab)|try to free pages|direct reclaim",
        r"swap (?:in|out|readpage|writepage)|kswapd|pgmajfault|majflt|major faults?|do swap page",
    ),
    "numa": (r"numa (?:migrate|hint|miss|foreign|balancing)|migrate pages|task numa|remote dram|qpi|upi\b",),
    "filesystem": (
        r"jbd2|ext[34] (?:sync|file|journal|mark|dirty|da|writepages)|journal commit|log wait commit",
        r"xfs (?:log|file fsync|ilock|buf|trans)|xlog|btrfs|zil commit|txg|dmu|zio|blkdev issue flush",
        r"submit bio wait|wait on page writeback|inode lock|i mutex|i rwsem",
        r"nobarrier|barrier=|data=(?:ordered|writeback)|o direct(?: no fsync)?|fallocate",
        r"sync=(?:disabled|standard|always)|primarycache|logbias|recordsize",
    ),
}

_OF_REPLICATION: Final[dict[str, tuple[str | Words, ...]]] = {
    "find_row": (
        (
            r"(?:rows|update rows|delete rows|write rows) log event(?: v1)?::(?:find row|do (?:table|index|hash) "
            r"scan|do hash|do scan|next record|open record|decide row lookup)"
        ),
        r"find row|search key in table|record compare|replication.{0,15}scan",
        r"gen clust index|rnd next.{0,20}(?:sql thread|applier|replica|slave)",
    ),
    "commit_order": (
        r"commit order (?:manager|queue|lock|trx)|wait for (?:its turn|commit order|previous|prior)",
        r"wait for prior commit|wait for commit::|do commit order",
        r"rpl parallel entry|start commit before|gtid sub id",
    ),
    "coordinator": (
        r"mts submode|schedule next event|append item to jobs|get (?:free|least occupied) worker",
        r"map db to worker|wait for (?:last committed|workers)|get slave worker",
        r"rpl parallel::do event|queue_for_schedule|choose thread|waiting for room",
        r"worker (?:queue|thread event queue)",
        r"pending jobs (?:events )?size|jobs size max|slave parallel max queued|wq (?:overfill|overrun|size)",
        r"(?:coordinator|sql driver|driver thread)\b.{0,30}(?:busy|100|full|core|decod|pars)",
    ),
    "receiver_behind": (
        r"queue event|handle slave io|read event\b|mysql_binlog_send|binlog sender|send binlog",
        r"after write to relay log|request dump|log event::read log event",
        r"flush master info|sync (?:master|relay log) info|relay log (?:purge|rotate|space)",
        r"packet wait|net read.{0,15}(?:io thread|receiver)",
    ),
    "consensus": (
        r"gcs (?:xcom|paxos|message|communication)|xcom (?:taskmain|cache|send)|paxos|learn|proposer|proposal",
        r"ballot|skip(?:ped)? slots?|empty (?:proposal|slot)s?",
        r"poll spin loops|message cache|communication max message|write concurrency|single leader",
        r"multi-?leader",
        r"group replication trans before commit|transaction delegate",
        r"waiting for (?:group|certification result)|broadcast (?:thread|message)",
    ),
    "certification": (
        r"certifier::|certification info|certifier (?:broadcast|garbage)|garbage collect|stable (?:set|gtid)",
        r"last conflict free|gtid assignment block|get certified",
        r"count transactions rows validating|transactions committed all members",
        r"rows in (?:certification|validation)",
        r"paxos.{0,4}60 ?s|60[- ](?:second|s) (?:interval|period|cycle|peak|dip)|sixty seconds",
    ),
    "group_flow_control": (
        r"flow control (?:module|step|mode|applier|certifier|quota|hold|release|period|min|max)|quota size",
        r"quota used",
        r"count transactions remote in applier queue|transactions remote (?:in|applied)|trx in queue",
        r"queue (?:of|on) (?:the )?(?:secondary|member|applier)",
    ),
    "group_relay": (
        r"applier (?:module|handler)::|queue packet|applier channel.{0,20}(?:relay|write|sync)",
        r"relay log of the (?:group|applier)|event cataloger",
    ),
    "commit_monitor": (
        r"galera::monitor",
        r"replicatorsmm::(?:commit order|commitorder|apply ?order|local ?order|pre commit|post commit)",
        r"commit order enter|apply monitor|commit monitor|wsrep (?:ordered commit|before commit|commit order)",
        r"wsrep (?:pre-?commit|in pre-commit|committing|commit)",
    ),
    "galera_pause": (
        r"gcs (?:sm|fc|core|fifo|dummy)|gcs replv|gcs (?:interface )?(?:pause|send)",
        r"fc (?:stop|cont|pause|sent|recv|lower|upper)|wsrep flow control",
        r"flow control (?:interval|active|status|paused|ns)",
    ),
    "wsrep_cost": (
        r"wsrep (?:append|key|row|thd|hash|prepare key|store key)|keyset",
        r"write ?set ?(?:out|ng|nextgen|builder)|mapped buffer|galera::(?:certification|key|gu)",
        r"(?:one|single|lone|only) node.{0,30}wsrep|wsrep.{0,30}(?:one|single|lone|only) node",
        r"wsrep (?:off|on)\b|without (?:the )?provider|provider (?:none|loaded)",
    ),
    "galera_appliers": (
        r"replicatorsmm::(?:apply trx|process trx)|wsrep rollbacker|apply window|apply oool",
        r"wsrep (?:applier|slave)(?! (?:committed|idle|applied))",
        r"cert deps|applier concurrency",
    ),
}

for _area in (_OF_COMMITS, _OF_ENGINE, _OF_REPLICATION):
    add_words(_area)
