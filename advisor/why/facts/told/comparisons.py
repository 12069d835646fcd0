"""What does a report say of releases, defaults, defects and the comparison itself?"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, register_words

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
            r"laptop",
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
            r"\bpxc-\d+",
            r"\bps-\d+",
            r"known (?:issue|defect|problem)",
            r"fixed in \d",
            r"assert(?:ion)?\b",
            r"signal (?:6|11)",
            r"crash(?:es|ed)?\b",
            r"#7001\d\d|1970",
            r"only a restart",
            r"until (?:a |the )?(?:restart|reboot|kill)",
            r"restart\w* (?:cures?|helps?|fixes|resolves)",
            r"memory leak",
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
            r"no user",
            r"\[(?:note|info)\]",
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
            r"\b(?:ssl|tls)\b",
            r"(?:binary log|binlog|log[- ]bin)\b.{0,25}\b(?:default|on by)",
            r"internal tmp mem|temptable",
            r"strict mode|sql mode",
            r"checksum",
        ),
    ),
}

register_words(_GROUPS)
