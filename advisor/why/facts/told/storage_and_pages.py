"""What does a report say of the disk, the file system and the pages of InnoDB?"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, register_words

_GROUPS: Final[dict[str, Group]] = {
    "slow_device": (
        "the device is slow or at its limit.",
        (
            Words(r"\b[rw]?[ _]?await\D{0,12}(\d+(?:\.\d+)?)", 10),
            Words(r"util(?:isation|ization)?\W{0,3}(?:percent|pct)?\D{0,10}(\d+(?:\.\d+)?)", 90, 100),
            r"\b(?:5400|7200|10k|15k) ?(?:rpm|min)",
            r"\bhdds?\b",
            "spinning",
            "rotating",
            r"\bsd[- ]?card",
            r"\busb (?:stick|disk|drive)",
            "emmc",
            r"\bnfs\b",
            r"magnetic (?:disk|volume)",
            r"iops (?:limit|cap|quota|exhaust)",
            r"throttl",
            "raspberry",
            Words(r"(?:fsync|sync|fdatasync)\w*(?: latency| time| takes?)?\D{0,12}(\d+(?:\.\d+)?) ?ms", 5),
            "slow (?:disk|storage|device|volume|i/o)",
            Words(r"(?:iowait|\bwa\b|%wa)\D{0,8}(\d+(?:\.\d+)?)", 20, 100),
            "disk (?:is )?(?:at |saturated|100)",
            r"\bsata (?:disk|drive|hdd)",
            r"bind[- ]mount",
            r"docker (?:for|desktop)",
            r"\bwsl",
            r"virtiofs|osxfs|\b9p\b|vboxsf",
            r"antivirus|defender",
            r"consumer[- ](?:grade )?ssd",
            r"qlc",
            r"gp2|gp3|io1|\bebs\b.{0,20}(?:limit|slow|queue)",
            Words(r"(?:disk|i/o|io|queue)[ -](?:queue )?(?:depth|length)\D{0,8}(\d+(?:\.\d+)?)", 10),
        ),
    ),
    "slow_device_hint": (
        "perhaps the device is slow or at its limit.",
        (
            r"(?:disk|device|volume)s? (?:is |are |was )?(?:100|9\d) ?%",
            r"network (?:storage|disk|volume)",
            r"persistent disk",
            Words(r"(?:disk|device|write|read|i/o|io|volume) latency\D{0,12}(\d+(?:\.\d+)?) ?ms", 10),
            r"disk (?:busy|saturated|at its limit|bound)",
            r"\bi/?o[ -]bound",
            r"queue (?:depth|length).{0,12}(?:high|long|grow)",
            r"mechanical",
            r"cloud disk",
            r"iops\b.{0,20}(?:max|reach|used up|100)",
            r"\braid ?[56]\b",
            r"\bhome ?assistant|nas\b|synology|qnap",
            r"virtual(?:box)? disk|thin provision",
            r"\bebs\b|gp2|gp3|persistent volume|longhorn|gluster|ceph|iscsi",
            r"backup (?:volume|disk)|same disk",
            r"write iops|iops\b",
        ),
    ),
    "degraded_storage": (
        "the storage is degraded, shared, throttled by credits, or hangs.",
        (
            r"degraded",
            (
                r"\b(?:bbu|batter(?:y|ies))\b.{0,30}(?:fail|dead|low\b|empty|charg|learn|replac|bad\b|missing|gone|expired|"
                r"degrad|not |disabled|weak|worn)"
            ),
            r"(?:failed|dead|bad|weak|missing|no|learning) (?:bbu|batter(?:y|ies))\b",
            r"write[- ]?through",
            r"\bsmart\b.{0,20}(?:error|fail)",
            "reallocated",
            "bad (?:sector|block)s?",
            r"predictive failure",
            r"(?:raid|array).{0,20}rebuild",
            r"i/o error",
            "media error",
            r"fsfreeze",
            r"(?:volume|disk|file ?system|lun|mount).{0,40}(?:hang|hung|fr[eo]z|stall|suspend)",
            r"(?:hang|hung|fr[eo]z)\w*.{0,30}(?:volume|disk|file ?system|lun)",
            r"(?:burst|i/o|iops|ebs|byte).{0,12}(?:balance|credit)",
            r"credits? (?:ran|run|are|were|balance|exhaust)",
            "noisy neighbo",
            r"snapshot.{0,30}(?:running|during|while|active)",
            r"(?:write|controller|san|array|raid|storage)(?:'s)? cache (?:is |was |runs )?(?:off|disabled|full)",
            r"dying (?:disk|ssd)",
        ),
    ),
    "degraded_storage_hint": (
        "perhaps the storage is degraded, shared, throttled by credits, or hangs.",
        (
            r"cache (?:is |was )?(?:disabled|off|in write)",
            r"(?:volume|disk|storage|device).{0,25}(?:slow|slower) (?:on|than|at)",
            r"\bbbu\b|\bbatter(?:y|ies)\b(?!.{0,20}\b(?:ok|good|optimal|fine)\b)(?!-| backed)",
            r"firmware|controller|multipath|\bdrbd\b|\btrim\b|fstrim",
            r"smartctl",
            r"(?:resync|scrub|patrol read|consistency check|learn cycle)",
            r"device (?:reset|timeout)|task blocked|hung task",
            r"latency spikes?.{0,30}(?:disk|storage|volume|device)",
        ),
    ),
    "slow_syncs": (
        "each sync takes long on this volume.",
        (
            (
                r"f(?:\[?data\]?)?sync\w*\b.{0,60}(?:orders? of magnitude|\d+ ?(?:times|x)|(?:hundred|ten|thousand) "
                r"times|much|far) (?:slower|longer)"
            ),
            Words(
                r"f(?:data)?sync\w*(?: latency| time| takes?| took| avg| average| p\d\d)?\D{0,12}(\d+(?:\.\d+)?) ?ms", 8
            ),
            Words(r"(\d+) (?:f(?:data)?syncs?|sync writes?|synchronous writes?)(?: per|/| a) ?s", 1, 300),
        ),
    ),
    "shared_storage": (
        "the storage is shared with others.",
        (
            r"shared (?:storage|san|disk|volume|lun|array)",
            r"same (?:san|array|lun|physical disk|volume|disk|ceph)",
            r"(?:other|another) (?:vm|tenant|guest|job|process|container).{0,40}(?:disk|i/o|io|storage|volume)",
        ),
    ),
    "one_host_only": (
        "of several alike servers only one is affected.",
        (
            r"(?:only|just) (?:on )?one (?:of the )?(?:host|node|server|machine|replica|member|instance)",
            r"\bon one (?:node|host|server|member|reader|replica)\b",
            r"one of (?:the )?(?:two|three|four|five|several|\d+)? ?(?:nodes?|hosts|servers|replicas|members)",
            (
                r"the other (?:\w+ )?(?:nodes?|hosts?|servers?|replicas?|members?) (?:are|is|do|have|has|"
                r"stay|were|show)"
            ),
            r"same hardware.{0,40}(?:faster|fine|normal)",
            r"identical (?:host|server|machine|hardware)",
        ),
    ),
    "filesystem": (
        "the file system, its journal or its barriers matter.",
        (
            r"\bbarriers?\b",
            r"\bnobarrier",
            r"\bjbd2\b",
            r"\bzfs\b",
            r"\bbtrfs\b",
            r"\bext[34]\b",
            r"\bjournal(?:ing|ling|led)?\b",
            r"data=(?:ordered|journal|writeback)",
            r"\bzil\b",
            r"\btxg\b",
            r"copy[- ]on[- ]write",
            r"atomic writes?",
            r"punch hole",
            r"\bfsync.{0,20}kernel",
            r"overlayfs|overlay2|aufs",
            r"\bslog\b",
            "logbias",
            "recordsize",
        ),
    ),
    "page_flushing": (
        "page cleaners or single-page flushes cannot keep up.",
        (
            Words(r"loop took (\d+) ?ms", 1000),
            r"page cleaners?\b",
            r"single[- ]page flush",
            "free (?:blocks?|pages?)\\b",
            r"lru (?:scan|flush|list)",
            r"dirty pages?",
            "buf lru get free",
            r"buf flush",
            r"flush(?:ing)? list",
            "buffer pool wait free",
            "lru get free",
            r"adaptive flush",
        ),
    ),
    "no_free_pages": (
        "sessions wait because the buffer pool has no free page.",
        (
            Words(r"buffer pool wait free\D{0,25}(\d[\d,]*)", 1000),
            r"free (?:pages?|buffers?|blocks?|list)\b.{0,30}(?:to|at|is|are|=|:) ?(?:0k?|zero|empty|exhausted)\b",
            r"pages free\b.{0,20}(?:to|at|:) ?(?:0k?|zero)\b",
            r"difficult to find free blocks|could not find (?:a )?free|no free (?:pages?|blocks?|buffers?)\b",
            r"buf lru get free (?:block|only)|single[- ]page flush",
        ),
    ),
    "slow_page_writes": (
        "a flush of few pages took seconds, so the device was slow.",
        (r"loop took \d{4,} ?ms\W{0,3}(?:the settings.{0,40})?(?:\(?flushed\W{0,2})[1-9]\d{0,2}\b",),
    ),
    "page_flushing_hint": (
        "perhaps page cleaners or single-page flushes cannot keep up.",
        (
            r"flush(?:ing)? (?:storm|stall|spike)",
            r"dirty\b.{0,15}(?:high|9\d|full|percent)",
            r"innodb max dirty",
            r"waits? for (?:a )?free page",
            r"shutdown",
            r"checkpoint",
            r"innodb (?:fast|slow) shutdown",
        ),
    ),
    "io_capacity": ("innodb_io_capacity limits flushing.", (r"io capacity",)),
    "pool_misses": (
        "pages are read from disk because the buffer pool does not hold the working set.",
        (
            Words(r"hit rate\D{0,6}(\d+) ?/ ?1000", 0, 985),
            Words(r"hit (?:rate|ratio)\D{0,6}(\d+(?:\.\d+)?) ?%", 0, 98.5),
            "buf read page",
            "buf wait for read",
            r"working set\b.{0,30}(?:larger|bigger|exceed|not fit|more than)",
            r"does not fit",
            r"(?:larger|bigger) than (?:memory|ram|the (?:buffer )?pool)",
            r"reads? from disk",
            "buf read ahead",
            r"buffer pool (?:is )?(?:too )?(?:small|tiny|128 ?m|8 ?m|default)",
            r"buffer pool reads",
            r"pages? evicted",
            r"\buuids?\b",
            r"random primary keys?",
            (
                r"(?:slower|falls?|drops?|decreas\w*|degrad\w*) (?:as|while|when|with) (?:the )?(?:table|"
                r"data|size)\w* (?:grow|size)"
            ),
            "reading data from disk",
            r"wait/io/file/innodb/innodb data",
            Words(r"hit (?:rate|ratio)\D{0,6}(0\.\d+)\b", 0, 0.985),
            r"buf read page|buf page get gen|fil io\b|os aio|ibuf merge",
        ),
    ),
    "pool_misses_hint": (
        "perhaps pages are read from disk because the buffer pool does not hold the working set.",
        (
            r"(?:pool|buffer pool)\D{0,12}(?:8|16|32|64|128|256) ?m(?:i?b)?\b",
            r"pool .{0,25}(?:smaller|much smaller|less) than",
            (
                r"(?:data|table|index|dataset|database)\b.{0,40}(?:larger|bigger|exceed|beyond|"
                r"do(?:es)? not fit).{0,25}(?:memory|ram|pool)"
            ),
            r"page reads?\b",
            r"random reads?",
            Words(r"innodb buffer pool reads\D{0,6}(\d[\d,]{5,})", 1000000),
            r"reads? (?:from|of) (?:the )?disk",
            r"(?:insert|change) buffer",
            r"\bibuf\b",
            r"secondary ind(?:ex|ices)",
            r"free memory|memory (?:of|for) the pool",
        ),
    ),
    "cold_cache": (
        "a cache is cold, or the volume is loaded lazily.",
        (
            r"cold (?:cache|pool|replica|buffer|start|data)",
            r"lazy|lazily",
            r"(?:restored|created|built|restore|started) from (?:a |an |the )?snapshot",
            r"first (?:touch|access|read)",
            r"(?:just|freshly|recently|newly) (?:re)?(?:started|booted|built|restored|created|provisioned)",
            r"after (?:a |the |its )?(?:restart|reboot|failover|restore|stop|maintenance)",
            r"buffer pool (?:dump|load)",
            r"new replica",
            r"pre-?fetch",
        ),
    ),
    "cold_cache_hint": (
        "perhaps a cache is cold, or the volume is loaded lazily.",
        (
            r"\bcold\b",
            r"cache is empty|empty (?:cache|buffer pool)",
            r"after (?:each |every )?restart",
        ),
    ),
    "compressed_tables": (
        "tables or pages are compressed.",
        (
            r"row format\W*compressed",
            r"key block size",
            r"page compress",
            r"compressed (?:tables?|pages?|rows?)",
            r"\b(?:in|de)flate\b",
            r"page zip",
            r"buf zip",
            r"transparent (?:page )?compression",
            r"innodb cmp",
        ),
    ),
    "compressed_tables_hint": (
        "perhaps tables or pages are compressed.",
        (
            r"compress(?:ed|ion)\b(?!.{0,20}(?:binlog|binary log|protocol|transaction))",
            r"key block",
            r"\bzlib\b|\btokudb\b|rocksdb|myrocks|archive engine",
        ),
    ),
    "fulltext": (
        "a full-text index is involved.",
        (r"full-?text", r"\bfts\b", r"fts (?:sync|optimize|cache)"),
    ),
}

register_words(_GROUPS)
