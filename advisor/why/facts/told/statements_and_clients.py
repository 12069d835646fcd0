"""What does a report say of statements and clients?"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, register_words

_GROUPS: Final[dict[str, Group]] = {
    "row_by_row": (
        "each row is its own statement or transaction.",
        (
            r"one (?:insert|row|statement|update|record|transaction) (?:per|each|for each|at a time)",
            r"row[- ]by[- ]row",
            r"one (?:by|after) (?:one|another|the other)",
            r"single[- ]row",
            r"per row\b",
            r"(?<!for )each (?:row|insert|statement|update|record)\b",
            r"auto[- ]?commit\b",
            r"(?:individual|separate|single) (?:inserts?|statements?|updates?|transactions?|commits?)\b(?!: ?\d)",
            r"skip-extended-insert",
            r"in a loop",
            r"\borm\b",
            r"a (?:transaction|commit) (?:per|for each|for every)",
            r"commit (?:after|for) (?:each|every)",
            r"\bn\+1\b",
            r"one (?:per|row per) statement",
            r"foreach",
            r"executemany",
        ),
    ),
    "row_by_row_hint": (
        "perhaps each row is its own statement or transaction.",
        (
            r"(?:each|every) (?:insert|update|row|statement)\b.{0,25}(?:commit|transaction|statement)",
            r"no (?:explicit )?transactions?\b",
            r"without (?:a |an |explicit )?(?:transaction|begin|batch)",
            r"tiny transactions?",
            r"small transactions?",
            r"insert ?per ?(?:row|line|record)",
            r"\bsave\(\)|\.save\b|for each (?:row|record|line|item)",
            r"one insert\b",
        ),
    ),
    "batching": (
        "rows are put together in one statement or transaction.",
        (
            r"\bbatch(?:es|ed|ing)?\b",
            r"multi[- ](?:row|value)",
            r"bulk insert",
            r"rows per (?:statement|transaction|insert|commit)",
            r"\bin one transaction",
            r"single transaction\b",
            r"load data",
            r"extended[- ]insert",
            r"begin.{0,20}commit",
            r"\d+ per statement",
            r"grouped into",
        ),
    ),
    "one_client": (
        "one client writes, or few do.",
        (
            (
                r"\b(?:one|single|1)[- ](?:\w+ )?(?:client|connection|session|thread|threaded|worker|"
                r"process|writer)s?\b"
            ),
            r"mysql <",
            r"\| ?mysql\b",
            r"(?:import|restor\w+|load\w*|reload|replay)\b.{0,20}\bdump",
            r"\bdump\b.{0,25}\b(?:import|restor|load|replay)",
            r"command[- ]line (?:client|script)?",
            r"\bphp (?:command|script|cli)",
            r"sequential",
        ),
    ),
    "one_client_hint": (
        "perhaps one client writes, or few do.",
        (
            r"\bimport\b",
            r"(?<!entrypoint )\bscript\b",
            r"\bserial(?:ly)?\b",
            r"one after (?:the |an)?other",
            r"single[- ]threaded",
            r"\bloops? (?:of|over|through|that)\b",
            r"waits for (?:each|the) (?:answer|reply|commit) before",
        ),
    ),
    "scan": (
        "statements read far more rows than they need, or sort and write temporary tables.",
        (
            r"full (?:table |index )?scans?",
            r"type\W{1,4}all\b",
            r"rows examined",
            r"(?:no|missing|lacks?|lacking|without|needs?) (?:an? |the |any |suitable |usable )*ind(?:ex|ices)\b",
            r"filesort",
            r"using temporary",
            "creating sort index",
            "sorting (?:result|for)",
            r"handler read rnd",
            r"select full join",
            r"like '?%",
            r"order by rand",
            r"un-?indexed",
            r"table scan",
            r"copying to (?:group )?tmp table",
            r"join buffer",
            r"block nested",
            r"(?:sum )?rows read\b",
            r"converting heap to",
            r"rnd next",
            r"examined\b",
            r"dependent subquery",
            r"removing tmp table",
            r"created tmp disk",
            r"records in range|rec(?:ord)?s? in range|join cache|rnd next|filesort",
        ),
    ),
    "scan_hint": (
        "perhaps statements read far more rows than they need, or sort and write temporary tables.",
        (
            r"\brows (?:read|scanned|per statement)\b",
            r"sending data|row search (?:mvcc|for mysql)",
            r"\bselect\b.{0,60}\b\d+(?:\.\d+)? ?s(?:ec|econds)?\b",
            r"\bcount\(\*\)",
            r"\boffset \d",
            r"temp(?:orary)? tables? on disk",
            r"(?:no|not|never) us(?:e|es|ing|ed) (?:an? |the |any )?(?:key|index)",
            r"possible keys",
            r"key:? null",
            r"cartesian|cross join",
            r"rows:? \d{5,}",
            r"reads? (?:the )?(?:whole|entire|all) (?:table|rows|index)",
            r"\bsort(?:s|ing)?\b",
            r"slow quer",
            r"information schema",
            r"view\b",
            r"\bjoin\b",
            r"group by|order by|distinct",
            r"read rnd",
        ),
    ),
    "plan": (
        "the plan of a statement is bad or has changed.",
        (
            r"(?:bad|wrong|worse|different|poor|changed?) (?:execution |query )?plans?",
            r"(?:wrong|other|another|different) index",
            r"optimi[sz]er",
            r"\bexplain\b",
            r"force index",
            r"analyze table",
            r"statistics (?:are|were|of the table|out)",
            r"cardinality",
            r"histogram",
            r"implicit (?:conversion|cast)",
            r"(?:different|mixed) (?:collation|charset|character set)",
            r"foreign keys?\b.{0,40}(?:index|cascade|check)",
            r"trigger",
            r"stored (?:procedure|function)",
            r"\b\d+ (?:secondary )?indexes",
            r"unused index",
            r"indexes? (?:was |were |is |are )?(?:dropped|added|created)",
        ),
    ),
    "long_statement": (
        "single statements run very long.",
        (
            Words(r"(?:select|report|query|statement).{0,60}?\b(\d[\d,]*) ?s(?:ec|econds)?\b", 60),
            r"slow quer(?:y|ies)",
            r"long[- ]running (?:quer|select|statement|report)",
            Words(r"query time\D{0,5}(\d+)", 10),
            r"slow log",
            r"\breports? quer",
            r"\banalytic",
        ),
    ),
    "idle_clients": (
        "clients or the application, not the server, take the time.",
        (
            r"\b\d+ (?:of \d+ )?(?:\w+ )?(?:sleeping|idle|asleep)",
            r"sleep(?:ing)? (?:connections|sessions|threads)",
            r"most(?:ly)? (?:sessions |connections |threads )?(?:are )?(?:idle|asleep|sleep(?:ing)?)",
            r"(?<!buffer )(?<!thread )pool (?:size|exhaust|limit|of \d+)",
            r"connection pool",
            r"hikari|c3p0|dbcp",
            r"think time",
            (
                r"(?:application|app|client|web|load generator|driver|python|php|ruby|java|"
                r"node)\b.{0,25}\b(?:cpu|busy|100|slow|side|bound|bottleneck|waits?)\b"
            ),
            r"(?:binlog|cdc|stream) (?:reader|consumer|connector|client)",
            r"\breader[ _-]?lag",
            r"debezium|maxwell|canal\b|go-mysql",
            r"server is idle",
            r"garbage collect\w* of the (?:jvm|application)",
            r"serialis|serializ",
            r"global lock of the interpreter",
            r"rate[- ]limit",
            r"between (?:the )?statements",
            r"wait/io/socket|net read|recv from client|reading from net|send(?:ing)? to client|writing to net",
        ),
    ),
    "idle_clients_hint": (
        "perhaps clients or the application, not the server, take the time.",
        (
            r"threads running\D{0,4}[12]\b",
            r"(?:server|database|mysql|mysqld|db) (?:is |was |nearly |mostly |almost )*idle",
            r"(?:few|hardly any|\b[0-9]{1,2}) (?:queries|statements|transactions) (?:per|a|/) ?s",
            (
                r"(?:application|app|client|job|web worker|queue worker)s?\b.{0,30}\b(?:sends?|waits? (?:for|between|"
                r"until)|sleeps?|think|sequential|one at a time)"
            ),
            r"(?<!buffer )pool of \d+|max ?pool|(?<!buffer )(?<!thread )(?<!log )pool size",
            r"client(?:'s)? (?:cpu|core|thread|machine|host) .{0,20}(?:100|full|busy|limit)",
            r"command sleep|in sleep\b",
            r"fetch(?:es|ing)? (?:rows|results?) (?:one|slowly|in)|writing to net|sending to client",
            r"new connection (?:for|per) (?:each|every)",
            r"connect(?:s|ing)? (?:and disconnect|for each|per (?:query|statement|request))",
            r"(?:no|without|not) persistent connection",
            r"transactions? (?:is |are )?held open",
            r"calls? (?:an? )?(?:http|api|remote service)",
            r"connection is not available",
            r"max user connections",
            r"\bhttp\b|\bjvm\b|garbage",
        ),
    ),
    "remote_client": (
        "the distance between client and server matters.",
        (
            r"client (?:on|in|inside|from|at) (?:the |a |an |another )?\w+",
            r"(?:over|through|via|across) (?:the |a )?(?:vpn|wan|internet|ssh|tunnel|proxy|link)\b",
            r"remote (?:client|host|database|server|site)",
            (
                r"(?:another|different|other|same|two|both|second) (?:regions?|data ?cent(?:er|re)s?|azs?|"
                r"availability zones?|zones?)"
            ),
            r"round[- ]?trips?",
            r"\brtt\b|\bwan\b",
            r"\bping\b",
            r"\d+ ?ms (?:away|apart|latency|rtt|round)",
            r"network latency",
            r"\bon the same (?:host|machine)",
            r"skip-name-resolve|reverse dns|dns lookup",
            r"nagle|tcp nodelay|delayed ack",
            r"unauthenticated user",
            r"reverse (?:dns|lookup)",
        ),
    ),
    "network_trouble": (
        "packets are lost or connections break.",
        (
            r"packet loss",
            r"retransmi",
            r"lost packets?",
            r"tcp retr",
            r"dropped packets?",
            r"packets? dropped",
            r"connection (?:reset|lost|aborted|broken)",
            r"\bmtu\b",
            r"duplex",
            r"flap(?:s|ping)? (?:link|port|network)",
            r"net (?:read|write) timeout",
            r"switch port",
            r"nic (?:error|firmware|driver)",
            r"jitter",
            r"network (?:glitch|disturb|partition|interrupt|blip)",
        ),
    ),
    "bandwidth": (
        "the throughput of a link matters.",
        (
            r"bandwidth",
            Words(r"\b(\d+) ?(?:mbit|mbps)", 1, 200),
            r"(?:full|limit|max\w*|saturat\w*|of the)\W.{0,12}\d+ ?(?:gbit|gbps)",
            r"link (?:is |was )?(?:full|saturated|at|busy)",
            r"(?:saturat|fill)\w* (?:the )?(?:link|nic|network)",
            r"network (?:is )?(?:saturated|full|limit)",
            r"(?:100|10) ?mb(?:it)? (?:ethernet|link)",
        ),
    ),
    "bulk_change": (
        "one statement or transaction changes very many rows.",
        (
            r"(?:delete|update|insert|replace)\w*\b.{0,40}\b\d+(?:\.\d+)? ?(?:million|mio|m rows|thousand)",
            Words(r"(?:delete|update|insert|rows)\w*\b.{0,20}?(\d[\d,]{5,})\b(?! ?(?:ms|bytes|s\b))", 100000),
            r"housekeep|retention|expire|cleanup|archiv",
            r"(?:large|huge|big|long|mass|bulk) (?:delete|update|transaction|insert)",
            r"\bdelete from\b",
        ),
    ),
    "open_transaction": (
        "a session leaves its transaction open.",
        (
            (
                r"(?:idle|sleep\w*|open|forgotten|old|uncommitted) (?:\w+ )?(?:transaction|session|"
                r"connection)s?\b.{0,30}\b(?:open|holds?|transaction|lock|\d+ ?(?:s|sec|min|h))"
            ),
            r"transaction.{0,20}(?:open|idle)\b.{0,15}\d",
            r"(?:bare|idle|open|forgotten|empty|uncommitted|lone) (?:begin|start transaction|select|transaction)\b",
            r"\bbegin\b.{0,25}(?:without|no|never) (?:an? )?(?:commit|statement|end)|idle in (?:a |its )?transaction",
            Words(r"active (\d+) sec", 60),
            r"autocommit ?= ?0|autocommit off|set autocommit",
            r"trx (?:started|age)\b",
        ),
    ),
    "proxy_limit": (
        "a proxy or a pool before the server is the limit.",
        (
            (
                r"(?:proxysql|maxscale|haproxy|mysql ?router|pgbouncer|\bproxy|load balancer|sidecar)\b.{0,60}\b"
                r"(?:[1-9]\d\d ?%|100|all (?:its )?cpus?|one core|saturat\w+|fr[eo]e?z\w+|hangs?|overload|bottleneck)"
            ),
            r"max connect timeout reached while reaching hostgroup",
            r"connpool|connection pool.{0,30}(?:exhaust|full|empty|limit|wait)",
        ),
    ),
    "bypass_cures": (
        "without the proxy or the pool the trouble is gone.",
        (
            r"direct(?:ly)?\b.{0,60}\b(?:fine|fast|ok|normal|no (?:problem|errors?|delay)|full speed|works)\b",
            (
                r"(?:without|bypass\w*) (?:the )?(?:proxy\w*|maxscale|haproxy|router|pooler|load "
                r"balancer)\b.{0,40}\b(?:fine|fast|ok|normal|no|works|gone|times)"
            ),
        ),
    ),
    "connection_kinds": (
        "the runs connect in different ways.",
        (
            (
                r"(?:socket|tcp)\b.{0,40}\b(?:vs\.?|versus|against|than|instead of|rather than) .{0,20}"
                r"(?:socket|tcp|127\.|localhost)"
            ),
            (
                r"(?:--)?(?:mysql[- ])?host ?= ?(?:127\.0\.0\.1|localhost)|--protocol ?= ?tcp|(?:no|without) "
                r"-{0,2}(?:mysql[- ])?host\b"
            ),
            r"(?:through|over|via|by) (?:the |a )?(?:unix |local )?(?:domain )?socket\b",
        ),
    ),
    "named_lock": (
        "sessions wait for a lock that the application takes by name.",
        (r"\bcommit lock of the (?:application|job|tool)",),
    ),
    "connects": (
        "connections are made again and again.",
        (
            r"threads created",
            r"connect(?:s|ions?)? per (?:second|request|query)",
            r"thread cache",
            r"new connections?\b",
            r"aborted (?:connects|clients)",
            r"\bconnects? and disconnects?",
        ),
    ),
}

register_words(_GROUPS)
