"""What does a report say of releases, defaults, defects and the comparison itself?"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, add_words, register_words

_GROUPS: Final[dict[str, Group]] = {
    "upgraded": (
        "it began with another release.",
        (
            r"upgrad",
            r"downgrad",
            r"migrat\w* (?:from|to) \d",
            r"(?:after|since) (?:the )?(?:update|switch|move|change) to",
            r"\d+\.\d+(?:\.\d+)? good\b",
            (
                r"(?:below|than|vs\.?|versus|against|not with|not in|->|→) (?:mysql |mariadb |"
                r"percona server |percona )?\d+\.\d+\.\d+"
            ),
            r"(?:older|newer|previous|old|new) (?:release|version|server)",
            r"regress",
            (
                r"\b(?:5\.[567]|8\.[04]|9\.\d|10\.\d+|11\.\d+)(?:\.\d+)?\b.{0,25}\b(?:faster|slower|"
                r"shows?|does not|fast|slow|fine|good)"
            ),
            r"bisect",
            (
                r"\b(?:5\.[1567]|8\.[04]|9\.\d)(?:\.\d+)?\s*(?:<?->|→|to|=>|vs\.?|versus|against)\s*(?:mysql |mariadb "
                r"|percona server |percona |pxc )?(?:5\.[1567]|8\.[04]|9\.\d|1[0-3]\.\d{1,2})(?:\.\d+)?\b(?! ?(?:ms"
                r"|s\b|%|gb|mb))"
            ),
            r"\b1[0-3]\.\d{1,2}\.\d+\s*(?:<?->|→|to|=>|vs\.?|versus|against)\s*(?:mariadb )?1[0-3]\.\d{1,2}\.\d+",
            r"\b(?:\d+\.){2}\d+:? \d[\d,.]*k?\b.{0,30}\b(?:\d+\.){2}\d+:? \d[\d,.]*k?\b",
            r"(?:pinned|back|returned|reverted|rolled back|downgraded) to \d+\.\d+",
        ),
    ),
    "same_settings": (
        "the settings of both releases are the same.",
        (
            (
                r"(?:variables?|config\w*|cnf|settings?|options?|parameters?|defaults?)\b.{0,40}\b(?:identical|equal"
                r"|the same|"
                r"diff(?:erences?)? (?:is |are )?(?:empty|none)|compared (?:one by one|line by line)|unchanged"
                r"|untouched)\b"
            ),
            (
                r"(?:same|identical|equal|one) (?:my\.cnf|cnf|config\w*|settings?|variables"
                r"|options)\b.{0,30}\b(?:both|every|each|"
                r"all|everywhere|old and new)"
            ),
            (
                r"\bcnf\b.{0,20}(?:used )?in both|no config(?:uration)? difference|nobody (?:touched|changed) "
                r".{0,20}(?:cnf|config)"
            ),
            r"(?:off|on|equal|the same) on both",
        ),
    ),
    "never_set": (
        "an option that works differently was never set by hand.",
        (
            (
                r"(?:not|never|nothing|no\b|nowhere).{0,25}\b(?:in|by|of|about) (?:our|my|the|any|this)?"
                r" ?(?:my\.)?(?:cnf|config\w*|"
                r"option file|ini)\b"
            ),
            r"(?:cnf|config\w*|option file|ini)\b.{0,15}(?:silent|says nothing|has no|does not (?:set|mention|have))",
            (
                r"(?:never|not) (?:given|set|configured|specified|mentioned) (?:by|in|explicitly|anywhere)|nobody "
                r"(?:set|asked)"
            ),
            r"engine[-_ ]default|without asking|compiled(?:-in)? default|variable source.{0,10}compiled",
            r"\b(?:is|are|was|came|comes|got|now) (?:\w+ )?(?:on|off|enabled|disabled|\d+) (?:now|without asking)\b",
        ),
    ),
    "crash": (
        "the server crashes on an assertion or a signal.",
        (
            r"(?:mysqld|mariadbd|server) got signal|signal (?:6|11)\b|segfault|sigsegv|sigabrt|segmentation fault",
            r"assertion (?:failure|failed|`)|assert(?:ion)? fail|failing assertion|\[fatal\]",
            r"double free|use[- ]after[- ]free|heap corruption|stack smashing",
        ),
    ),
    "upgraded_hint": (
        "perhaps it began with another release.",
        (
            r"(?:to|from|with|in|on|since) (?:mysql |mariadb |percona server |percona )?\d+\.\d+\.\d+",
            r"(?:after|since) (?:the )?(?:new|next|latest) (?:release|version|package)",
            r"\d+\.\d+(?:\.\d+)?\s*(?:->|→|to|=>)\s*\d+\.\d+",
            r"compared (?:to|with) \d+\.\d",
        ),
    ),
    "defaults": (
        "a default setting is in force, or has changed.",
        (
            r"\(default\)",
            r"default (?:value|setting|config\w*|options?)",
            r"new default",
            r"shipped (?:config|default|with)",
            r"out of the box",
            r"stock (?:config|settings?|image)",
            r"defaults? (?:changed|differ)",
            r"without (?:a |any )?(?:my\.cnf|config)",
            r"option (?:was )?(?:ignored|removed|renamed|not read)",
        ),
    ),
    "other_machine": (
        "the comparison is between different machines, data or loads.",
        (
            (
                r"different (?:machine|hardware|data|server|host|instance|disk|cpu|schema|size|load|"
                r"client|workload|kernel|os)"
            ),
            (
                r"(?:local|dev\w*|staging|test) (?:machine|server|box|host|env\w*|system)?.{0,25}(?:vs\.?|"
                r"versus|against|than|and) (?:the )?(?:prod|cloud|rds|aurora|live)"
            ),
            r"(?:production|prod)\b.{0,40}\b(?:test|staging|dev|local)\b",
            r"(?:first|second|1st|2nd|cold|warm) run",
            r"single run|run once|only one run|one measurement",
            r"not the same (?:data|machine|load|test)",
            (
                r"(?:smaller|larger|bigger|older|newer|slower|faster) (?:machine|host|server|instance|"
                r"data|vm|hardware)\b"
            ),
            (
                r"(?:desktop|workstation|vm|container|docker|wsl|windows|macos)\b.{0,30}\b(?:vs\.?|versus|"
                r"against|server|linux|bare)"
            ),
        ),
    ),
    "other_machine_hint": (
        "perhaps the comparison is between different machines, data or loads.",
        (
            (
                r"(?:two|different|other|another) (?:machines?|servers?|hosts?|clouds?|providers?|"
                r"instances?|storage|disks?|data ?sets?|versions? of the data)\b"
            ),
            r"not (?:comparable|the same|identical)",
            (
                r"(?:bare metal|physical|vm|virtual machine|container|docker)\b.{0,30}\b(?:against|vs\.?|"
                r"versus|and|than) (?:a |the )?(?:bare metal|physical|vm|virtual|container|docker|cloud)"
            ),
            r"(?:was|is) (?:never |not )?repeat",
            r"benchmark.{0,30}(?:client|tool|driver)",
            r"(?:vendor|marketing|published) (?:figure|number|benchmark)",
        ),
    ),
    "bug": (
        "a defect is named, or the state contradicts itself.",
        (
            r"\bbugs?\b",
            r"\bmdev-?\d+",
            r"\bpxc-\d{3,}",
            r"\bps-\d{3,}",
            r"known (?:issue|defect|problem)",
            r"fixed in \d",
            r"assert(?:ion)?\b",
            r"signal (?:6|11)",
            r"crash(?:es|ed)?\b(?![- ](?:recovery|safe))",
            r"#7001\d\d|1970",
            r"only a restart",
            r"until (?:a |the )?(?:restart|reboot|kill)",
            r"restart\w* (?:cures?|helps?|fixes|resolves)",
            r"memory leak|\bleak(?:s|ed|ing)?\b|never freed",
            r"restart(?:ed)?\b.{0,30}\b(?:continues|drains|heals|cures|clears|works again|fast again|back to normal)\b",
            r"(?:happens|occurs|seen|reproducible) only (?:on|in|with|since) (?:\w+ )?\d+\.\d+",
            r"(?:later|newer|next) (?:release|version|\d+\.\d+)\b.{0,40}\b(?:fix|without it|does not|no longer)",
            r"wrong (?:value|result|order|time ?stamp|counter)",
            r"race condition",
        ),
    ),
    "bug_hint": (
        "perhaps a defect is named, or the state contradicts itself.",
        (
            r"(?:never|not) (?:released|woken|signal+ed|lifted|reset|cleared)",
            r"although (?:nothing|no |all |the )",
            r"\bwhile (?:nothing|no |all )",
            r"counter (?:wraps|overflow)",
            r"deadlock between (?:threads|mutex)",
            r"self-deadlock|undetected deadlock",
            r"only (?:in|with|since) (?:version )?\d+\.\d+",
            r"not seen (?:in|with|before) \d",
            r"kill(?:ing)? (?:has no effect|does not|the server)",
            r"kill -9",
        ),
    ),
    "grows_with": (
        "the work grows with something that it need not touch.",
        (
            r"(?:proportional|linear(?:ly)?) (?:to|with|in) (?:the )?(?:size|number|amount|length|count|age)",
            r"grows? (?:linearly )?with (?:the )?(?:size|number|amount|length|count|age|uptime) of",
            (
                r"(?:list|chain|array|hash|table) of .{0,20}(?:million|\d{6,}) (?:entries|elements|items|objects|"
                r"intervals)"
            ),
            r"(?:million|\d{6,}|\d+k|\d+ k) (?:entries|elements|intervals|list items)\b|\bo\(n",
        ),
    ),
    "without_trouble": (
        "nobody suffers: the load is served.",
        (
            r"harmless",
            r"by design",
            r"as (?:designed|documented|expected)",
            r"(?:is|are|looks?) (?:normal|expected)\b",
            r"no (?:complaint|impact|effect on|slowdown)",
            r"not affected",
            r"response times? (?:are |is )?(?:unchanged|fine|ok|normal|good)",
            r"falls? back (?:immediately|at once|quickly)",
            r"only (?:a )?(?:warning|message|graph|metric)",
        ),
    ),
    "without_trouble_hint": (
        "perhaps nobody suffers: the load is served.",
        (
            r"nobody (?:notices|complains|suffers)",
            r"no users? (?:notice|complain|suffer|report)",
            r"just (?:a )?(?:message|warning|note)",
            r"throughput (?:is )?(?:unchanged|unaffected|the same)",
            r"all queries (?:are )?fast",
            r"keeps? up\b",
        ),
    ),
    "tuner_advice": (
        "a tuning script or a rule of thumb asks for a change.",
        (
            r"mysqltuner|tuning[- ]primer|tuner (?:says|recommends|script)",
            r"rule of thumb",
            r"recommend(?:s|ed|ation)s?\b",
            r"is (?:it|this) (?:normal|ok|a problem)",
            r"looks? (?:high|low|bad|alarming)",
        ),
    ),
    "new_defaults": (
        "something that newer releases do by default is named.",
        (
            r"utf8mb4",
            r"character[- ]set",
            r"collation",
            r"caching sha2|sha256",
            r"(?:binary log|binlog|log[- ]bin)\b.{0,25}\b(?:default|on by)",
            r"internal tmp mem|temptable",
            r"strict mode|sql mode",
        ),
    ),
}

# What people say in prose of the same.
_PROSE: Final[dict[str, tuple[str | Words, ...]]] = {
    "upgraded_hint": (
        (
            r"\b(?:after|since|with|before) (?:the |an? )?(?:server |version |minor |major )?(?:upgrade|downgrade|"
            r"update\b(?! of))"
        ),
        r"\b(?:after|since|before) (?:the )?(?:migration|switch|move) (?:to|from) (?:mysql|mariadb|percona|pxc|\d)",
        r"(?:mysql|mariadb|percona|pxc|galera|server) ?\d+\.\d+",
        (
            r"\b\d+\.\d+\.\d+\b.{0,25}(?:below|above|slower|faster|better|worse|than)|\bgood\)|version: .*\b(?:good|"
            r"bad|slow|fast)"
        ),
    ),
    "bug": (
        r"mdev-\d|bug ?#?\d{4,}|pxc-\d{3}|\bps-\d{3}|\bwl#\d|known bug",
        r"(?:is|was) (?:a |an? |the )?(?:bug|defect|regression)\b",
        (
            r"(?:fixed|mended|repaired|patched|solved|resolved) (?:in|by|with|since) (?:a |the )?(?:\d|patch|"
            r"release|version|commit)"
        ),
        r"patch (?:that|which|for|fixes|applied)|version: .*(?:before|after mdev|fixed|good|bad)",
        (
            r"(?:active|on|set|in force|high|paused|blocked)\b.{0,35}(?:although|while|but|yet).{0,40}(?:empty|"
            r"below|zero|0|idle|no |nothing|low)"
        ),
        r"never (?:released|cleared|reset|lifted|woken|signalled|continues|resumes|recovers)",
        r"(?:only|until) (?:a )?(?:restart|reboot|kill)",
        r"restart(?:ing)? (?:helps|cures|fixes|solves|needed|clears)|#700101|1970-01|(?<!conf id: )18446744",
        r"(?:no|without) (?:\w+ )?(?:progress|end|recovery|way out)\b.{0,25}(?:until|without|but|except)",
        r"wrap(?:s|ped)? around|negative (?:value|number|lag|count)",
    ),
    "bug_hint": (
        r"(?:all|every|each) (?:binary logs|binlogs|files?)\b.{0,20}(?:read|scan|search|opened)",
        r"whole (?:file|log|table|list|binary log) (?:is )?(?:read|scanned|searched|copied)",
        r"(?:waits?|hangs?|stuck|blocked) (?:for ?ever|endless|without end|indefinitely|in vain)",
        r"(?:acks?|events|packets|signals?) (?:are |is )?(?:arriving|sent|received)\b",
        r"\d\.\d+\.\d+\b.{0,60}same (?:machine|hardware|load|config\w*|settings?)\b|reproduc(?:ible|ed|es)\b|test case",
        r"(?:other|another) (?:server|release|version|fork|vendor) (?:is )?(?:fine|fast|ok|on the same|does not)",
        r"(?:mysql|mariadb|percona)\b.{0,30}(?:above|below|vs\.?|against) (?:mysql|mariadb|percona|\d)",
        r"livelock|undetected|missed (?:signal|wake-?up)|lost (?:signal|wake-?up)",
    ),
    "defaults": (
        r"\(default\)|at (?:its|the|their) defaults?",
        (
            r"(?:default|stock|vanilla|unchanged|untouched) (?:setting|config|value|install|my\.cnf|image|"
            r"options?|instance)"
        ),
        r"no (?:tuning|my\.cnf|config)",
    ),
    "new_defaults": (
        r"default (?:changed|now|since|in 8|of 8|was|became)|now (?:on|off|enabled|disabled|1) by default",
        r"new(?:ly)? (?:on|enabled|default)|binlog (?:on|enabled) by default|sync binlog.{0,10}default",
        r"collation|utf8mb4|caching sha2|doublewrite pages|change buffering|adaptive hash index ?= ?off",
        r"numa interleave|query cache (?:removed|gone|off)|histogram|internal tmp|temptable",
        r"explicit defaults|innodb log (?:writer threads|buffer)|flush method",
    ),
    "other_machine_hint": (
        (
            r"(?:different|other|another|faster|slower|new|old|dev|test|production) (?:machine|server|hardware|"
            r"laptop|host|vm|instance|environment|cpu|disk|cluster(?! view)|data ?cent\w+)\b|laptop"
        ),
        r"(?:aws|azure|gcp|rds|aurora|cloud)\b.{0,25}(?:vs|versus|against|than|and) ",
        r"(?:vs|versus|against|than) (?:aws|azure|rds|aurora|bare|on-?prem|local|physical)|arm\b.{0,15}x86",
        r"graviton|(?:single|one|short|first) (?:run|measurement|test)|sample of one",
        r"warm(?:ed)? (?:vs|against)|different (?:data|row|table|thread|client|number|size|version|config)\w*",
        r"not (?:tuned|configured) (?:the same|alike)|synthetic|unrealistic",
    ),
    "without_trouble": (
        (
            r"(?:no|without) (?:measurable |visible |noticeable |significant |real )?(?:difference|effect|impact|"
            r"harm|change|slowdown|problem|cost|penalty)"
        ),
        r"(?:same|equal|identical|unchanged) (?:rate|speed|throughput|tps|result|time|latency)",
        r"(?:within|below) (?:the )?(?:noise|error|1 ?%|2 ?%)",
        r"(?:nothing|not) (?:to (?:fix|worry|do)|wrong|slow(?:er)?)",
        r"(?:is|are|was) (?:fine|harmless|cosmetic|expected|normal|documented|intended|by design|healthy|ok)\b",
        r"works? as (?:designed|intended|documented)|informational|false (?:alarm|positive)",
        r"not a (?:bug|problem|block|fault|limit)",
    ),
    "without_trouble_hint": (
        (
            r"(?:note|warning|message|alert|graph|figure|counter|value|metric|advice|recommendation|tuner|"
            r"check)\b.{0,30}(?:only|says|shows|looks|high|low|appears)"
        ),
        r"tuner|mysqltuner|tuning (?:script|primer)|worri|is (?:it|this|that) (?:normal|ok|bad)",
        r"no (?:slow|user|complaints?|symptoms?|lag)\b|served|keeps up|healthy",
        r"idle (?:server|machine|system)|(?:low|hardly any|little|few) (?:load|traffic|writes|users)",
    ),
}

register_words(_GROUPS)
add_words(_PROSE)
