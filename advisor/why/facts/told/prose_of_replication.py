"""What do people say in prose of replication, clusters, statements and clients?

As in `prose`: the words of the hint, but for phrases that describe the mechanism itself.
"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Words, add_words

_OF_REPLICAS: Final[dict[str, tuple[str | Words, ...]]] = {
    "replica_lag_hint": (
        r"(?:seconds|hours|minutes|days) (?:late|old|behind|of lag)|out of sync|falls? further",
        r"lag\w* (?:keeps|is|was|of|to|up)|stale (?:data|read)|behind (?:master|source)",
        r"catch ?up|relay log space|sbm\b|replica(?:tion)? (?:is |was )?(?:slow|late)",
    ),
    "applier_behind": (
        r"relay log (?:space|size|files?)\b.{0,25}(?:gb|grow|full|hundreds|pile)",
        r"apply (?:lag|delay)|(?:sql|apply|applier) thread (?:is |at |uses |keeps )",
        r"executed .{0,25}behind (?:read|received|retrieved)",
        r"receiv\w+ (?:is |keeps |up )?(?:current|fine|up to date|on time)",
        r"io thread (?:is )?(?:current|up to date|fine)",
    ),
    "one_core_busy": (
        r"only (?:a )?(?:one|single|1) (?:of (?:them|the \w+) )?(?:core|cpu|thread|processor)",
        r"(?:core|cpu|thread) (?:at|uses?) 100|one cpu (?:at|is|core)|12\.5 ?%|(?:single|one) cpu\b",
        r"only one of (?:them|several)",
    ),
    "applier_threads": (
        r"(?:slave|replica) parallel|parallel (?:slave|replica|apply|threads|mode|workers?)",
        r"single[- ]threaded (?:replica|slave|apply|sql)|one (?:sql|applier|apply) thread|multi[- ]?threaded",
    ),
    "workers_idle": (
        (
            r"(?:more|additional|raising|32|16|64) (?:slave |replica |applier |parallel )?(?:workers|"
            r"threads)\b.{0,30}(?:no |not |little|hardly|same|slower|does)"
        ),
        r"commit[- ]?order (?:based|tracking|dependen)|dependency tracking|writeset\b",
        r"write-set (?:history|based)|per[- ]database",
        r"conservative|optimistic",
        r"(?:only )?(?:one|1|two|few) (?:of \w+ )?(?:worker|thread)s? (?:is |are )?(?:busy|active|used|work)",
    ),
    "commit_order": (
        r"order of (?:the )?commits?|commit in order|in[- ]order commit|preserv\w+ (?:the )?(?:commit )?order",
    ),
    "coordinator": (
        r"coordinator (?:thread )?(?:is|at|uses|cannot|busy|bound|limit)",
        r"single (?:coordinator|scheduler|distributor)|coordinator\b.{0,25}\bcpu",
        r"distribut\w+ (?:the )?(?:events|transactions|work) ",
    ),
    "find_row_hint": (
        r"full (?:table )?scans? (?:on|per|for|in) .{0,25}(?:replica|slave|applier|row|event)",
        r"table scans? (?:per|for each) (?:row|change)",
        (
            r"(?:add(?:ed|ing)?|creat\w+|with|after) (?:a |the |an )?(?:primary |unique )?(?:key|pk|"
            r"index)\b.{0,25}(?:fast|caught|catch|gone|solved|seconds|ok|disappear)"
        ),
        r"row[- ](?:based|format)\b.{0,40}(?:delete|update)|row based replication|binlog format\W{0,3}row",
        r"no keys?\b|lack of (?:a )?(?:primary )?key|not indexed|heap table|many rows? (?:read|examined)",
    ),
    "large_transaction_hint": (
        (
            r"(?:delete|update|insert|transaction|event|statement|load)s?\b.{0,30}\b(?:millions?|\d{6,}|\d+ ?m|"
            r"\d+ ?k) (?:of )?rows"
        ),
        r"(?:\d+ ?gb|gigabytes?) (?:transaction|event|binlog|binary log)",
        r"transaction of (?:\d+ ?(?:gb|mb)|millions?)",
        (
            r"(?:statements?|quer(?:y|ies)|transactions?) (?:of|takes?|took|that take|running|for) (?:about )?\d+ "
            r"?(?:min|h|hours?)"
        ),
        r"(?:mass|bulk|huge|monster|giant|long) (?:change|dml|statement|event|trx)|load data|monthly",
        r"weekly job|once a (?:day|night|week)",
        r"binlog file (?:of|is) \d+|rows? event.{0,15}(?:mb|gb)",
        r"position (?:is )?(?:frozen|fixed|unchanged|the same|stuck|does not)",
        r"exec\w* pos\w*.{0,25}(?:same|stuck|unchanged|constant)",
    ),
    "receiver_behind_hint": (
        (
            r"(?:io|i/o|receiver|dump|download|fetch|transfer)\b.{0,25}(?:slow|late|behind|limit|"
            r"bottleneck|lag|rate)"
        ),
        r"(?:read|master log|source log)\w* pos\w* .{0,20}(?:behind|lags?|late|old)",
        r"reads? old (?:binary logs|binlogs)",
        r"(?:binlogs?|binary logs?) (?:on|of|at) (?:the )?(?:source|master|primary)",
        r"relay log (?:write|sync|disk|space|purge|current|hot)|(?:current|closed|hot|active) relay log",
        r"sync relay log|slave compressed protocol|binlog (?:server|router|streaming)",
        r"mysqlbinlog\b.{0,40}(?:raw|remote|stop never)",
        r"auto[- ]?position|(?:reconnect|connect)\w* (?:every|often|again|loop)",
        r"receiv\w+ (?:slow|late|behind|side)|not (?:arriv|receiv|transfer)",
    ),
    "applied_all": (
        r"(?:applies|applied|executed) (?:all|everything) (?:that )?(?:it )?(?:receiv|arriv|read|got)",
        r"read pos\w* (?:equals|=|is the same as) exec|nothing (?:left )?to apply",
        r"relay logs? (?:is |are )?empty",
    ),
    "replica_durability_hint": (
        r"(?:replica|slave|node)\b.{0,40}(?:sync binlog|flush log|trx commit|durab|fsync|syncs\b)",
        r"(?:sync binlog|trx commit|durab\w+)\b.{0,40}(?:replica|slave)",
        r"relax\w* .{0,20}(?:replica|slave)|log[- ](?:slave|replica)[- ]updates",
    ),
    "weaker_replica_hint": (
        (
            r"(?:replica|slave|secondary|standby|reader|member)\w*\b.{0,50}(?:smaller|weaker|slower|older|cheaper|"
            r"hdd|spinning|sata|less|fewer|half|different (?:hardware|instance|size))"
        ),
        r"(?:smaller|weaker|different|lower) (?:instance|class|hardware|machine|server|vm|tier)\b",
        r"(?:bad|overloaded|underpowered|undersized|slow) (?:member|replica|slave|secondary)",
        r"not the same hardware|(?:cheap|small) (?:vps|replica|slave)",
    ),
    "blocks_replica_hint": (
        (
            r"(?:long|heavy|reporting|analytic\w*|olap|bi|big|huge|slow|etl) (?:running )?(?:select|quer|report|"
            r"read|job|scan|dump|extract)\w*"
        ),
        r"readers? (?:on|of|against) (?:the )?(?:replica|slave)",
        r"(?:reports?|selects?|queries|jobs?) (?:run )?(?:on|against) (?:the )?(?:replica|slave|reader)",
        r"retr(?:y|ies|ied)\b.{0,25}(?:transaction|applier|slave|worker)|(?:slave|replica) transaction retries",
        r"locks? (?:on|held on) the (?:replica|slave)",
        r"kill(?:ing|ed)? (?:the |that )?(?:query|select|session|backup)",
    ),
    "lag_jumps": (
        r"(?:springs?|leaps?|flips?|oscillat\w+|bounces?|fluctuat\w+|flaps?) (?:to|between|from|back|and|up)",
        r"(?:lag|behind|delay)\D{0,20}\b0 (?:then|to|and) \d{2,}|equals the gap",
        r"never (?:really )?behind",
    ),
    "lag_jumps_hint": (
        (
            r"(?:seconds behind|lag|sbm|delay)\b.{0,40}(?:inaccurate|unreliable|incorrect|meaningless|does not "
            r"mean|computed|calculated|difference)"
        ),
        r"\b(?:0|zero|null) (?:although|while|even|when)\b|pt-heartbeat|heartbeat table",
        r"time ?stamp of (?:the )?(?:event|master|source)",
        r"(?:cascade|chain|third|intermediate) (?:server|replica|master|source|replication)",
        r"relay (?:server|replica)\b",
        r"original[_ ]commit|no (?:traffic|writes|events|load)\b",
    ),
    "clocks": (
        r"clock (?:skew|diff|drift|off)|time (?:zones?|skew|is off|was off)",
        r"(?:system|host|server) (?:date|clock)|\bntpd?\b|daylight|\butc\b.{0,15}(?:local|offset|hour)",
    ),
    "deliberate_delay": (
        r"sql delay\D{0,4}[1-9]|(?:master|source) delay|time[- ]delayed|delayed on purpose",
        r"lagged (?:replica|slave)",
    ),
    "applier_error": (
        r"sql thread (?:is |was |has )?(?:stopped|dead|down|not running|error)|stop (?:slave|replica)\b",
        r"(?:slave|replica) (?:sql )?running\W{0,3}(?:sql\W{0,3})?no\b",
        r"replication (?:is )?(?:stopped|broken|errors?|halted|failed|fails)|(?:data|replication) drift",
        r"inconsisten\w+ (?:data|replica)|errant",
    ),
    "ack_wait_hint": (
        r"semi-?sync\w*|synchronous replication|lossless",
        r"wait(?:s|ing)? for (?:a |the |one )?(?:replica|slave|remote)",
        r"(?:remote|far|other) (?:dc|site|region|data ?cent\w+).{0,20}(?:commit|ack)",
    ),
    "ack_lost_hint": (
        r"endless timeout|infinite timeout|timeout (?:of|is|=) ?(?:\d{9,}|infin|end)",
        r"practically (?:endless|infinite)",
        (
            r"(?:replicas?|slaves?) (?:are |were |is |was )?(?:out of service|stopped|taken|unavailable|dead|gone|"
            r"down|offline|removed|shut)"
        ),
        r"no (?:replica|slave)s? (?:left|connected|running|attached)|vttablet|vitess",
        r"semi-?sync\w* (?:hang|stuck)",
    ),
    "ack_timeout": (
        r"(?:waits?|stall|hang|delay)\w* (?:for )?(?:the )?(?:whole|full|entire) timeout|semi-?sync.{0,60}\b10000 ?ms",
        r"ten seconds? (?:stall|wait|pause|delay)|then (?:continues?|goes on) async",
    ),
    "semisync_switches": (
        r"(?:semi-?sync\w*|replication) (?:keeps )?(?:toggl|switching|flapp|alternat)\w*",
        r"off,? (?:then )?on again|status (?:toggles|alternates)",
    ),
}

_OF_CLUSTERS: Final[dict[str, tuple[str | Words, ...]]] = {
    "slow_node_hint": (
        (
            r"(?:bad|weak|sick|lagging|overloaded|failing|degraded|old|smaller|problem|faulty) (?:node|member|"
            r"server)"
        ),
        r"(?:node|member)s?\b.{0,25}(?:swap|backup|dump|disk full|full disk|hdd|slower|overload|lags?|behind)",
        r"only (?:on )?one node",
        r"waits? for (?:that|this|the slow|one|the other) (?:node|member)|slowest",
        (
            r"(?:remove|stop|kill|shut)\w* (?:that|this|the|one) (?:node|member)\b.{0,25}(?:fast|fine|normal|help|"
            r"recover)"
        ),
    ),
    "receive_queue": (
        Words(
            r"(?:recv|receive|slave|apply|applier) ?queues?(?: avg| length| size| max)?\D{0,12}(\d[\d,]*(?:\.\d+)?)", 10
        ),
        r"(?:receive|recv|apply) queue.{0,20}(?:grows?|long|high|peak|hundreds|thousands|fill)",
    ),
    "galera_appliers": (
        r"(?:slave|applier|apply) threads?\W{0,4}\d|one (?:slave|applier|apply) thread",
        r"single (?:slave|applier) thread|(?:more|fewer) (?:slave|applier) threads",
    ),
    "state_transfer": (
        r"full (?:sst|copy of)|rejoin\w*|joined (?:state|for|since)",
        r"incremental (?:state )?transfer|state ?snapshot|node (?:was )?(?:rebuilt|re-?added|added)",
        r"(?:new|third|second) node (?:is |was )?(?:join|add|sync)|rsync\b.{0,15}(?:method|sst)|wsrep sst",
    ),
    "write_set_size": (
        (
            r"(?:large|huge|big|giant|mb-sized|long) (?:\w+ )?(?:transactions?|write ?sets?|deletes?|updates?|"
            r"loads?|writes)"
        ),
        r"transactions? of (?:\w+ )?(?:mb|gb|megabytes|gigabytes|\d+ ?(?:mb|gb)|millions?|thousands)",
        r"wsrep max ws|(?:mass|bulk|batch|nightly) (?:delete|update|load|import|purge)",
    ),
    "total_order": (
        (
            r"(?:alter|ddl|create index|optimize|schema change|truncate|drop)\b.{0,40}(?:whole cluster|all nodes|"
            r"every node|cluster (?:stop|block|stall|freez|hang))"
        ),
        r"wsrep osu|rolling schema",
    ),
    "cluster_conflicts": (
        r"write (?:to|on) (?:several|multiple|all|both|any|two|three) (?:nodes|members|masters)",
        r"multi-?(?:writer|node writes|master|primary)|round[- ]?robin (?:write|over)",
        r"deadlocks? (?:on|at|in|from) commit|bf ?aborts?|certification (?:fail|conflict|errors?)",
        r"(?:all|both|three|several) (?:nodes|masters|writers) (?:write|writing|take writes)",
    ),
    "wsrep_cost": (
        r"(?:a |the )?(?:single|one|1)[- ]?node (?:galera|pxc|cluster)|wsrep[_ ](?:on|off)",
        r"galera (?:vs|versus|against|overhead|tax|enabled|disabled)|(?:only|just) (?:the )?first node",
        r"bootstrapped (?:alone|only)|overhead of (?:galera|wsrep)|with(?:out)? (?:galera|wsrep)",
    ),
    "galera_pause_hint": (
        (
            r"(?:cluster|all nodes|everything) (?:is |was |are |stops?|stalls?|hangs?|freez\w*|locks?|blocked|"
            r"throttled|paus\w*)"
        ),
        r"writes? (?:stop|stall|hang|freez)\w* on all|fc limit|gcs\.fc|fc factor|lock(?:s|ed)? ?up",
    ),
    "commit_monitor": (
        r"(?:pre-?commit|certif\w+|commit) (?:stage|phase|monitor|order|section)",
        r"ordered (?:commit|section|part)|serial(?:ised|ized)? (?:commit|section|part)",
        r"waits? (?:for )?(?:its|their) turn",
    ),
    "no_scaling": (
        r"(?:with|from|at|for) 1 (?:to|and|or|up to) \d+ (?:threads|clients|connections)",
        r"with any number of (?:threads|clients|connections)",
        (
            r"(?:any|whatever|same (?:for|with|at)|regardless of(?: the)?|independent of(?: the)?|no matter "
            r"(?:how many|the)|with every) (?:\w+ ){0,3}(?:threads|clients|connections|thread count|concurrency|"
            r"sessions)"
        ),
        (
            r"(?:more|additional) (?:threads|clients|connections|sessions|concurrency)\b.{0,25}(?:do(?:es)? not|"
            r"no |not |don't|never|little|hardly|same)"
        ),
        r"does(?: not|n't) scale|no scaling",
        r"(?:rate|throughput|tps) (?:is |stays? |remains? )?(?:constant|the same|flat|unchanged)",
    ),
    "group_flow_control": (
        r"(?:member|group|cluster) (?:is |was )?throttl|writer (?:is |was )?throttl|flow[- ]?control|quota",
        r"(?:above|over|below) (?:the |its )?threshold|applier threshold|queue (?:size|length)?\W{0,3}\d{5,}",
        r"fc_?mode",
    ),
    "consensus_hint": (
        r"(?:group|members?|nodes?)\b.{0,30}(?:far|remote|regions?|wan|latency|rtt|data ?cent|apart)",
        r"single[- ]primary|multi[- ]primary|consistency (?:level|before|after)|before and after",
        r"message (?:size|fragment|compress)|member weight|three (?:regions|sites|data)",
        r"each (?:commit|transaction) .{0,20}(?:round|group|majority)|majority",
    ),
    "certification_hint": (
        r"write-?sets? (?:table|map|memory|database|count)|row(?:s)? (?:validating|in certif)",
        r"memory of (?:the )?certif|every (?:60|sixty|minute)|once (?:per|a|every) min",
        r"minute(?:ly)? (?:dip|drop|spike|stall)|conflict detection (?:db|info|database)",
    ),
    "recovering_hint": (
        r"(?:new|third|failed|restarted|returning|removed) member|(?:re)?join(?:s|ing|ed)?\b",
        r"never (?:becomes?|gets?|goes|comes?) online|online (?:only|right) after|state transfer",
        r"catch(?:es)? up (?:with|after)",
    ),
    "unreachable_hint": (
        (
            r"(?:network|node|member|switch|host) (?:fail|outage|loss|lost|cut|broke|unplug|disconnect|power|"
            r"crash|freez|paus|hang)\w*"
        ),
        r"kill(?:ed)? -?(?:9|stop)|sigkill|sigstop|split[- ]?brain|evict|suspect (?:timeout|node)",
        r"inactive (?:timeout|node)|quorum|primary component|tc qdisc|netem|iptables|frozen (?:node|member|vm)",
        r"(?:vm|node) (?:was )?(?:suspended|paused|migrated)|auto evict",
    ),
    "group_relay": (
        r"(?:receiv|certif|group)\w* .{0,30}relay log",
        r"relay log (?:of|for) (?:the )?(?:group|secondar|applier|member)|applier (?:channel )?relay",
    ),
}

_OF_CLIENTS: Final[dict[str, tuple[str | Words, ...]]] = {
    "idle_clients_hint": (
        (
            r"(?:proxysql|maxscale|haproxy|mysql ?router|\bproxy|load balancer)\b.{0,40}\b(?:cpu|100 ?%|busy|slow|"
            r"limit|errors?|timeouts?|queue|restart|full)"
        ),
        r"(?:stress|load) (?:test|generator|tool)|jmeter|locust|benchmark client|client[- ]side",
        r"(?:application|app|web|worker) (?:server|tier|side|pool|code|threads?)|php-fpm|gunicorn|sidekiq",
        r"celery|pack job|packing",
        (
            r"(?:mysqld|server|database|db) (?:is |was |sits |stays |nearly |almost |mostly )?(?:idle|bored|"
            r"unused|at \d ?%)"
        ),
        r"\b(?:idle|id)\b\W{0,3}[789]\d(?:\.\d+)?\b",
        r"(?:few|no|hardly any|low) (?:load|queries|activity) (?:on|at|in) (?:the )?(?:server|database|db)",
        r"reader\b.{0,20}(?:lag|slow|behind)|consumer (?:lag|slow)|cdc|connector|kafka|change data capture",
        r"elasticsearch|sink\b",
        r"single[- ]threaded (?:app|client|script|driver|loader|job)|gil\b|event loop|node\.?js",
        r"long transactions? (?:in|of|by) (?:the )?app",
        r"keeps? (?:the |a )?(?:connection|transaction|lock) (?:open|while|for)",
        r"(?:holds?|keeps?|takes?) (?:its|the|a) (?:own )?(?:commit |application |global )?lock",
    ),
    "plan": (
        r"(?:with|without|before|after|drop\w*|a|trivial|insert|update) triggers?\b|create trigger",
        r"triggers?\b.{0,20}(?:cost|slow|per row|each row|fires?)",
        r"(?:no|missing|wrong|bad|unused|new|added|composite|covering|better|suitable|right) ind(?:ex|ices|exes)",
        r"optimizer|query plan|execution plan|full scan|explain\b|analyze\b|force index|use index",
        r"statistics\b.{0,15}(?:stale|old|wrong)|subquer|correlated|derived table|exists \(|not in \(|like '%",
        r"\bor\b.{0,10}index|user variables",
    ),
    "long_statement": (
        Words(
            r"(?:runs?|takes?|took|for|after|lasts?|running) (?:about |over |more than )?(\d[\d,]*) ?s(?:ec|econds)?\b",
            60,
        ),
        r"(?:history|statistics|dashboard|report|search|export|archiv\w*|count)\b.{0,15}(?:quer(?:y|ies)|select)",
        (
            r"(?:slow|heavy|expensive|complex|periodic|repeated) (?:\w+ )?(?:quer(?:y|ies)|selects?|statements?|"
            r"reads?)"
        ),
        r"(?:query|select|statement) (?:takes|took|runs|ran|needs)",
        r"(?:deletes?|updates?) (?:takes?|took|runs?|ran) (?:\w+ )?(?:min|hours|\d)",
    ),
    "remote_client": (
        r"(?:client|app\w*|web|worker)s? (?:and|to) (?:the )?(?:server|database|db)",
        r"(?:on|from) (?:the )?(?:host|same host|guest|vm|inside)|over (?:tcp|the network|wi-?fi|lan)",
        r"(?:cross|inter)[- ](?:region|az|zone|dc|datacent\w+|continent)|geo(?:graphic\w*|-?distribut\w+)",
        r"overseas|(?:us|eu|asia)[- ](?:east|west|central|south|north)",
        Words(r"(?:rtt|ping|network latency|round[- ]?trip)(?: time)?(?: ms)?\D{0,8}(\d+(?:\.\d+)?)", 2, 5000),
    ),
    "network_trouble": (
        (
            r"(?:packet|link|network|tcp) (?:loss|errors?|problem|trouble|drops?|instab|disturb|issue|jitter|"
            r"congest|resets?|outage)\w*"
        ),
        r"retrans\w*|half[- ]duplex|flaky|unstable (?:network|link|connection)|cable|firewall|conntrack",
        r"nat (?:timeout|gateway)|arp\b|bond(?:ing)?\b.{0,12}(?:fail|mode)|keepalive",
    ),
    "bandwidth": (
        r"\b(?:100|10) ?(?:mbit|mbps)\b",
        (
            r"(?:network|nic|link|interface|uplink|vpn|line)\b.{0,25}(?:satur|full|limit|cap|mb/s|max|throughput|"
            r"bandwidth)"
        ),
        r"(?:upload|download|transfer) (?:rate|speed)|compress\w* protocol|protocol compress",
        r"blob(?:s)? (?:of|are|over)|bytes sent|network (?:out|in)\b.{0,12}(?:mb|gb)",
        r"row image (?:full|minimal)",
    ),
    "connects": (
        r"(?:new|short|per-request|non-?persistent|many|each|every) connect\w*",
        r"connect(?:s|ion)? (?:rate|storm|setup|overhead|time|churn)|thread cache|threads created",
        r"connections? (?:per|a|/) ?(?:s|sec|request|query)|handshake|ssl (?:handshake|setup)",
        r"tls (?:handshake|setup)|back log",
    ),
}

for _area in (_OF_REPLICAS, _OF_CLUSTERS, _OF_CLIENTS):
    add_words(_area)
