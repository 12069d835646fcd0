"""What do people say in prose of a mechanism, without a state, a symbol or a message?

Almost all of these words go with several causes, so they stand with the words of the hint. Only a phrase that describes
the mechanism itself stands with the words that decide.
"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Words, add_words

_OF_COMMITS: Final[dict[str, tuple[str | Words, ...]]] = {
    "sync_wait": (
        (
            r"(?:flush|sync)(?:ed|es|ing)? (?:at|on|after|for|with) (?:each|every) (?:commit|transaction|"
            r"statement|insert)"
        ),
        r"\bf(?:data)?syncs? ?(?:/|per|a) ?s",
        r"(?:slow|long|expensive|costly|many|thousands of) f?syncs?",
    ),
    "sync_wait_hint": (
        r"(?:flush log|flush)\W{0,3}(?:=|at|to|set to)? ?[02]\b",
        r"\btmpfs\b|ramdisk|ram disk|/dev/shm|in memory disk|eatmydata|libeatmydata|nosync",
        r"\bwith 0\b.{0,12}(?:faster|%)|suite with 0",
        r"(?:test suite|tests?|ci|migrations?|fixtures?|suite)\b.{0,30}(?:slow|minutes|seconds|faster)",
        r"\b\d{1,3} (?:inserts|writes|transactions|commits|updates|rows|queries)(?: per|/| a) ?s",
    ),
    "durability_options": (
        r"relaxed (?:durability|flush)|(?:durability|flushing) (?:relaxed|not relaxed)",
        r"\btrx commit\W{0,4}[012]",
        r"double ?-?1\b|1/1 (?:setting|mode)|acid (?:mode|compliance)",
    ),
    "commit_delay": (
        (
            r"(?:commits?|transactions?) (?:are )?(?:held|delayed|wait\w*) (?:on purpose|deliberately|for others|"
            r"to form)"
        ),
        r"binlog group commit sync\b",
    ),
    "group_commit": (
        r"(?:no|broken|without|missing|disabled|defeats?) group commit",
        r"group commit (?:is )?(?:broken|missing|disabled|off|lost)",
        r"commits? (?:one (?:by|after) (?:one|another)|serial\w*|in series|sequential\w*)",
        r"xa (?:prepare|transactions?)|support xa|two[- ]phase|2pc",
    ),
    "row_by_row_hint": (
        r"row at a time|record by record|line by line|item by item",
        r"insert (?:for|per) each|individual(?:ly)?|one transaction\b.{0,15}(?:per|each|every)|autocommitted?",
        r"\b1 row per|one row\b|separate (?:query|queries|insert)",
        r"django|hibernate|doctrine|activerecord|eloquent|sqlalchemy|entity framework",
    ),
    "batching": (
        r"in batches|chunks? of \d+|batch size|rewritebatchedstatements|prepared batch|addbatch",
        r"insert ignore .{0,10}values .{0,5}\(",
    ),
    "one_client_hint": (
        r"(?:restore|import|reload|load)\b.{0,30}(?:hours|minutes|\d+ ?h\b)",
        r"\bpv\b|gunzip|zcat|source \S+\.sql|\.sql\b|mysqlimport|innodb parallel",
        r"cron ?job|single (?:process|job|worker|thread)|sync(?:hronous)?ly|one job|no concurrency",
        r"concurrency (?:of )?1\b",
    ),
    "binlog_cost_hint": (
        r"(?:binlog|binary log(?:ging)?) (?:is |was |turned |switched )?(?:on|off|enabled|disabled)\b",
        (
            r"(?:with|without|enabl\w+|disabl\w+|turn\w+ (?:on|off)) (?:the )?(?:binlog|binary log(?:ging)?|log[- "
            r"]bin)"
        ),
        r"double(?:s|d)? the (?:write|volume|amount)|written (?:twice|three times)",
    ),
    "binlog_compression": (
        r"compression of (?:the )?(?:binlog|binary log|transactions)",
        r"compressed (?:binlog|events|transactions|binary log)",
    ),
    "binlog_rotation": (
        r"(?:binlog|binary log)\b.{0,20}(?:reaches|is full|fills up)|new (?:one|file) is (?:opened|created)",
        (
            r"when (?:the |a )?(?:binlog|binary log|log)\b.{0,15}(?:switch|rotat|fills|full|change|purg|delet|"
            r"expire)"
        ),
        r"every (?:new )?(?:gb|binlog|binary log|file)|whole binary log",
        r"(?:old|expired) (?:binary )?logs? (?:are |is )?(?:removed|deleted|purged)",
    ),
    "gtid": (r"(?:with|without|enabling|after|since) gtids?\b|gtid (?:on|off|enabled|mode)",),
}

_OF_STORAGE: Final[dict[str, tuple[str | Words, ...]]] = {
    "slow_device_hint": (
        Words(r"\b(?:svctm|[rwfd]?_?await|aqu-sz|avgqu-sz)\D{0,6}(\d+(?:\.\d+)?)", 10),
        Words(r"(?:^|\s)wa\D{0,4}(\d+(?:\.\d+)?)$", 15, 100),
        Words(r"\bb\b column\D{0,6}(\d+)", 3),
        Words(r"blocked processes\D{0,6}(\d+)", 3),
        Words(r"(\d+(?:\.\d+)?) ?iops\b", 1, 1500),
        Words(r"seek(?: time)?(?: ms)?\D{0,6}(\d+(?:\.\d+)?)", 8),
        r"\bsmr\b|5400|laptop (?:disk|drive)|old (?:disk|drive|server)|single (?:disk|drive|hdd)|raid ?1\b",
        r"software raid|mdadm|md\d\b",
        r"encrypt(?:ed|ion) (?:volume|disk|at rest)|luks|dm-crypt|qcow2|loop device|sparse file",
        r"standard (?:disk|hdd|storage|ssd)|azure (?:disk|files)|\befs\b|cifs|\bsmb\b|fuse|sshfs|cloud storage",
        r"block storage|hostpath",
        r"(?:disk|storage|i/o) (?:is |was )?(?:the )?(?:bottleneck|limit)|disk[- ]bound",
        r"waits? (?:for|on) (?:the )?(?:disk|i/o|storage)",
        r"write (?:latency|speed|rate)|mb/s (?:write|sequential)|fio\b|dd if=|ioping|sysbench fileio",
        r"faster (?:disk|storage|ssd|drive)|on (?:an )?(?:ssd|nvme)\b.{0,20}(?:fast|seconds|minutes|fine)",
    ),
    "degraded_storage_hint": (
        r"(?:latency|i/o|disk|write)s? (?:spikes?|peaks?|hiccups?|outliers?)",
        r"(?:at|on) (?:different|random|irregular|other) (?:times?|hours|days)|not at the same time",
        r"at (?:random|irregular) (?:times|intervals)",
        r"(?:sporadic|intermittent|random|occasional)\w*.{0,25}(?:slow|stall|latency|i/o|disk|write)",
        r"neighbou?r|live migration|vmotion|host (?:node|system)|oversold|overcommit",
        r"other (?:vms|guests|tenants|containers|customers)",
        r"charging|relearn|learning cycle|capacitor|patrol|scrub\w*|resilver|resync|rebuild\w*",
        r"lvm snapshot|snapshot (?:volume|backup|job|taken|creation)",
        r"storage (?:controller|array|failover|vendor|team)",
        r"after (?:a |the )?(?:disk|controller|firmware|battery|drive) (?:was |is )?(?:replac|chang|swap|updat)",
        r"(?:after|needs|until) (?:a |the )?reboot\b.{0,15}(?:fast|fine|normal)",
        r"temperature|overheat|thermal|wear(?:[- ]level| out)|life ?time (?:used|left)|endurance|spare",
        r"(?:flush|write|loop)\w*.{0,40}\b(?:afternoon|night|hours)",
    ),
    "shared_storage": (
        (
            r"all (?:nodes|vms|servers|instances|members) on (?:one|the same|a single) (?:\w+ )?(?:disk|array|san|"
            r"storage|host|volume|hypervisor)"
        ),
        r"on one (?:physical )?(?:disk|host|hypervisor|san|nas)\b",
        r"backup.{0,25}same (?:disk|volume|device|array)",
    ),
    "filesystem": (
        r"file ?systems?\b.{0,30}(?:slower|faster|mount|option|journal|sync)|mount(?:ed)? (?:with|option)",
        r"o direct\b|sync ?= ?disabled|xfs\b|f2fs|reiserfs",
    ),
    "doublewrite": (r"written twice|double writes?|torn pages?|atomic write support",),
    "pool_misses_hint": (
        r"random (?:inserts?|order|reads?)|(?:not in|random) key order",
        r"(?:read|reads|reading)\b.{0,25}\b(?:mb|gb)(?:/s| s\b| per s)",
        r"read (?:bursts?|average|throughput|rate|volume|iops|bandwidth)",
        r"reads? (?:nearly |almost )?(?:gone|vanish|disappear|drop)",
        r"(?:buffer )?pool (?:of|to|at|is|was|only|size)? ?(?:only )?\d+ ?(?:m|mb|mib)\b",
        r"larger (?:buffer )?pool|pool (?:was )?(?:raised|increased|enlarged)",
        r"(?:more|raising|bigger) (?:buffer )?pool|pool >=",
        r"database (?:of|is|size)? ?(?:about )?\d+ ?(?:gb|tb)|database (?:mb|gb)",
        r"data (?:of|is|size) .{0,8}\d+ ?(?:gb|tb)|working set",
        r"(?:first|cold) (?:\w+ )?(?:query|select|read|run) .{0,20}slow|everything (?:is )?read from",
        r"key buffer|key cache",
        r"(?:inserts?|load|import)\b.{0,30}(?:slower and slower|gets? slower|slows? down|degrad)",
        r"(?:millions|billions?|\d+ ?m|\d+ million) (?:of )?rows.{0,20}(?:slow|drop|fall|degrad)",
        r"change buffer|merged operations|unique index(?:es)?\b.{0,20}(?:read|random|disk)",
    ),
    "page_flushing_hint": (
        r"(?:drops?|dips?|falls?|goes) to (?:zero|0|almost nothing)",
        r"periodic(?:al)? (?:stalls?|drops?|dips?|freez)",
        r"saw-?tooth.{0,15}(?:throughput|write|tps)|write (?:storm|burst|spike)s?",
        r"burst(?:s|y) (?:of )?(?:flush|write)",
        r"checkpoint(?:ing)? (?:stall|storm|flush)|(?:flush|cleaner)\w* (?:cannot|can't|does not|not) keep up",
        r"eviction|evict",
        r"data (?:does not fit|larger)|pool (?:140|larger).{0,10}gb.{0,20}(?:same|fine|no)",
        r"slow shutdown|shutdown (?:takes|took|needs|of)|stop(?:ping)? (?:takes|took) .{0,12}(?:min|hour)",
    ),
    "io_capacity": (
        r"flush(?:es|ing)? (?:only |at most |limited to )\d+ pages",
        r"innodb (?:io cap|flush neighbors|adaptive flushing lwm|max dirty)|\d+ pages (?:a|per) s",
    ),
    "redo_full_hint": (
        r"(?:larger|bigger|raising|increasing|small|tiny|default) (?:redo|log files?|transaction logs?)",
        r"redo (?:log )?(?:capacity|size|files?|space)\b(?! ?=)",
        r"innodb log file size(?! ?=)|log files? (?:of|size|=)? ?\d+ ?(?:m|mb)\b",
        r"(?:48|5|50|64|96|128) ?m(?:b|ib)? (?:redo|log)",
        r"log (?:wraps?|is full|fills|cycles)|hourly redo|redo (?:per|an) hour|log sequence number",
        r"last checkpoint",
    ),
    "cold_cache_hint": (
        r"(?:warm(?:s|ed|ing)?[- ]?up|warmed|unwarmed|not warm|preload|pre-?warm)",
        r"(?:restarted|rebooted|failed over|failover|promoted|switched over|restored|cloned|provisioned)\b",
        r"reads? (?:on|of) the (?:replica|slave)|read iops|buffer pool (?:load|dump|empty|restor)|hydrat",
        r"from s3",
        r"rarely used replica|idle replica|standby",
    ),
    "compressed_tables": (
        r"innodb compression|compressed (?:innodb|table|row|page)|key block|row ?format ?= ?compressed",
        r"page ?compressed",
    ),
    "fulltext": (r"full ?text|text search index|match .{0,12}against|ngram|mecab",),
}

_OF_LOCKS: Final[dict[str, tuple[str | Words, ...]]] = {
    "row_lock_wait_hint": (
        (
            r"(?:all|every|many|most|\d+) (?:sessions|threads|clients|statements|updates)\b.{0,35}(?:same|one) "
            r"(?:row|record|key|id|account|counter|user)"
        ),
        r"(?:counters?|sequence|queue) table|job queue|balance|stock|seat|hot ?spots?|heartbeat row",
        r"(?:session|lock|semaphore) table",
        r"(?:update|delete|insert)s? (?:wait|block|hang|time ?out|pile up|queue)",
        r"blocked (?:updates?|inserts?|deletes?)|blocking (?:session|transaction|thread|query)",
        r"time ?outs? (?:after|of) 50|50 ?s(?:ec|econds)? (?:time ?out|wait)|innodb lock wait timeout",
        r"foreign keys?\b.{0,25}(?:lock|parent|share)|insert \.\.\. select|insert into .{0,20}select",
        r"on duplicate key|replace into|insert ignore",
        r"conflict|concurrent (?:write|transaction|update)s?|serialization fail|read committed",
        r"locks? (?:many|all|the whole|every|too many) rows?|unindexed (?:update|delete|where)",
        r"update without (?:an )?index",
    ),
    "metadata_lock": (
        r"\bmdl\b(?! (?:of|map|lock[- ]free))",
        r"metadata locks?",
    ),
    "global_lock_hint": (
        r"(?:hot |online |physical |logical |nightly )?back-?ups?\b.{0,30}(?:block|lock|wait|hang|stall|stop)",
        r"(?:all|every) (?:writes?|commits?|sessions?|updates?) (?:are |is )?(?:blocked|stopped|hang|wait)",
        r"set read only|flush (?:privileges|logs|hosts|status)|grant\b|create user",
    ),
    "table_dropped_hint": (
        (
            r"drop(?:s|ped|ping)? (?:of )?(?:a |the |large |big |old |many |temporary )*(?:tables?|partitions?|"
            r"databases?|schemas?|index)"
        ),
        r"truncat|remov(?:e|es|ing) (?:a )?(?:large|big|huge) table|temporary tables?",
    ),
    "schema_change_hint": (
        r"schema (?:change|update|upgrade|migrat)|add(?:ed|ing|s)? (?:an? )?(?:index|column|key|partition)",
        r"table rebuild|rebuild(?:s|ing)? (?:of )?(?:the |a )?table",
        r"(?:liquibase|flyway|pt-osc|gh-ost|online ddl|instant|lhm|spirit)\b|optimi[sz]e\b",
        r"repair table|convert to",
    ),
    "latch_hint": (
        (
            r"(?:all|any|many|every|regardless|independent|whatever|no matter).{0,25}(?:threads|thread count|"
            r"cores|clients|connections)\b"
        ),
        (
            r"(?:scal\w+|throughput|tps|qps).{0,30}(?:flat|stops?|collapse|peak|saturat|worse|does not|no gain|"
            r"not above|limited)"
        ),
        r"more (?:cores|cpus|threads|instances)\b.{0,25}(?:not|no|slower|little|hardly|less)",
        r"cores? (?:are |stay |remain )?idle",
        r"high (?:sys|system|kernel)|system time|%sys|sys cpu|context switch",
        r"one (?:shared |common |global )?(?:lock|mutex|latch)|share(?:s|d)? (?:one|a|the same) (?:lock|mutex)",
        r"lock(?:s)? of the (?:server|engine|log)|internal lock",
        (
            r"(?:hot|current|same|active) (?:\w+ )?(?:relay log|binary log|binlog|index|page|block|"
            r"file)\b.{0,40}(?:slow|lock|contend|wait)"
        ),
        r"auto[- ]?increment primary|right-?most|index (?:split|growth)|hot page|many (?:instances|partitions)",
        r"thp\b|huge ?pages?|jemalloc|tcmalloc|glibc malloc|allocator|fragment",
    ),
    "autoinc_lock": (
        r"auto[- ]?inc(?:rement)?\b.{0,20}(?:lock|wait|queue|serial|mode)|innodb autoinc|lock mode ?= ?1",
        r"table-level auto",
    ),
    "table_cache_hint": (
        r"(?:many|thousands|hundreds|lots) of (?:tables|partitions|schemas|databases|tenants)|multi-?tenant",
        r"per-?(?:customer|tenant) (?:schema|database|table)|sharded tables|wordpress multisite",
        r"table (?:open )?cache|open files? (?:limit|handles)|file (?:handles|descriptors)|innodb open files",
        r"stats on metadata|prepared statements?",
    ),
    "query_cache": (r"query cach(?!e (?:size|type|limit|min)\b)|qcache|\bqc\b.{0,12}(?:on|off|size|lock)",),
    "purge_hint": (
        r"history (?:list|length)",
        (
            r"(?:old|long|open|forgotten|idle|stale|hanging|abandoned) (?:\w+ )?(?:transactions?|snapshots?|read "
            r"views?|trx|cursors?)"
        ),
        r"undo|rollback segment|ibdata|delete-?mark|mvcc|versions? of (?:the )?rows?",
        r"purge (?:lags?|behind|thread|slow|stops?)|truncation of undo",
        r"deleted (?:rows|records)\b.{0,25}(?:scan|read|slow|still)|after (?:a )?(?:mass|large|bulk) delete",
        r"queue table.{0,20}slow",
        r"(?:select|count|query|index scan)s? (?:gets? |becomes? )?slower (?:and slower|over time|with time)",
        r"until (?:the )?(?:transaction|session) (?:is |was )?(?:closed|killed|ended|commit)",
    ),
    "many_sessions_hint": (
        Words(r"(\d{3,5}) (?:\w+ ){0,2}(?:connections|threads|sessions|clients|workers|users)\b", 200),
        r"(?:connections|threads|sessions) (?:rise|climb|jump|explode|pile up|shoot up|spike)|thread pool",
        r"threadpool|pool-of-threads|max connections|one[- ]thread[- ]per",
        r"concurren(?:cy|t) (?:of )?\d{3,}|too (?:many|much) (?:threads|concurrency|connections|parallel)",
        r"thrash|load (?:average|avg)",
    ),
    "cpu_full_hint": (
        r"cpu (?:at|near|around|over|above|of|to)\D{0,6}(?:9\d|100)|(?:9\d|100) ?% (?:cpu|user|us\b)",
        r"(?:all|both|every) (?:cores|cpus|vcpus) (?:at|are|busy|used|full)",
        r"cpu[- ](?:limit|bound|hungry|intensive|heavy|quota)",
        Words(r"(?:\bus|user|%user|%us)\D{0,4}(\d+(?:\.\d+)?)$", 75, 100),
        Words(r"(?:\bid|idle|%idle)\D{0,4}(\d+(?:\.\d+)?)$", 0, 8),
        Words(r"load (?:average|avg|1m)?\D{0,4}(\d+(?:\.\d+)?)", 16),
        r"\b(?:1|one) (?:v?cpu|core)\b|small (?:instance|vm|droplet)",
        r"t[234]g?\.(?:nano|micro|small|medium)|cpu credits?|steal\b|throttled periods",
    ),
    "numa_hint": (
        r"\bsockets?\b|cross-socket|uneven(?:ly)? .{0,15}(?:node|memory)|interleav|innodb numa|one socket",
        r"single socket",
    ),
    "query_cache_wait": (r"(?:lock|mutex|latch) of the query cache|query cache(?:'s)? (?:lock|mutex|latch)",),
    "performance_schema": (
        r"(?:slow|general|query|audit) log(?:ging)?\b.{0,15}\b(?:on|enabled|every|all quer\w+|costs?|overhead)\b",
        r"long query time ?= ?0|instrument|profil(?:er|ing) (?:on|enabled)",
        r"monitoring (?:agent|queries|overhead)|pmm\b|exporter|datadog|newrelic|innodb monitor",
    ),
    "swap": (
        r"swap (?:in|out|activity|io)|swapp|memory (?:exhaust|shortage|pressure|limit|full|leak)|overcommit",
        r"low (?:on )?memory|rss\b.{0,20}(?:grow|exceed|limit)|drop caches|page ?out",
    ),
    "admission_queue": (r"innodb thread concurrency|kernel concurrency|tickets? to enter|commit concurrency",),
}

for _area in (_OF_COMMITS, _OF_STORAGE, _OF_LOCKS):
    add_words(_area)
