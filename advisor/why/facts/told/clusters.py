"""What does a report say of groups and Galera clusters?"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, register_words

_GROUPS: Final[dict[str, Group]] = {
    "unreachable": (
        "a member is unreachable or suspected.",
        (
            r"unreachable",
            r"\bexpel",
            r"suspect(?:ed|s)?\b",
            r"evs::",
            r"(?:inactive|dead|killed|cut off|partitioned|isolated) (?:node|member|peer|replica)",
            r"(?:node|member|server) (?:is |was )?(?:down|dead|killed|cut off|crashed)",
            r"non-primary|no quorum",
            r"blocked for member",
        ),
    ),
    "recovering": (
        "a member is joining or recovering.",
        (
            r"\brecovering\b(?! from (?:a )?crash| after (?:a )?crash)",
            r"distributed recovery|incremental recovery|recovery by clon",
            r"(?:add|rejoin) ?instance|reboot\w* (?:the )?cluster|complete outage",
            (
                r"clone (?:donor|recipient|status|progress|plugin)|clon(?:e|ing) (?:of|from) (?:a |the )?(?:donor|"
                r"member|server)"
            ),
            r"\b(?:re)?join(?:s|ing|ed|er)?\b",
            r"\bcloning\b|clone plugin",
            r"(?:taken\sout|removed) and (?:put\sback|added)",
            r"catching up",
        ),
    ),
    "group_flow_control": (
        "the group's flow control or queues are involved.",
        (
            r"flow[- ]?control",
            r"\bquota\b",
            r"applier queue",
            r"certifier queue",
            r"transactions? in queue",
            r"remote in applier",
            r"throttl\w* (?:the )?(?:writer|primary|member)",
        ),
    ),
    "consensus": (
        "ordering and consensus of the group take the time.",
        (
            r"consensus",
            r"paxos",
            r"\bxcom\b",
            r"event horizon",
            r"group communication",
            r"(?:before|after) (?:commit|broadcast)",
            r"executing hook on trans",
            r"group replication trans before commit",
            r"process_ordering|gcs_xcom",
            r"communication (?:stack|protocol)",
            r"wait(?:s|ing)? for (?:the )?group",
        ),
    ),
    "certification": (
        "the certification database or its clean-up is involved.",
        (
            r"certif(?:ication|ier) (?:info|database|db|data|module|garbage|thread)",
            r"garbage collect",
            r"rows validating",
            r"stable set",
            r"every (?:60|sixty) ?s",
            r"once (?:a|per) minute",
            r"write ?set (?:history|extraction)",
            r"every minute",
        ),
    ),
    "group_relay": (
        "the group's thread that writes the relay log is the limit.",
        (
            r"applier (?:module|thread) .{0,30}relay log",
            r"group replication applier.{0,30}(?:write|relay|sync)",
            r"applier module receiver",
            r"writing (?:to )?the relay log",
        ),
    ),
    "galera_pause": (
        "Galera's flow control pauses the cluster.",
        (
            r"flow[- ]?control\b(?! (?:sent|recv|received|paused(?: ns)?|interval)\b)",
            r"\bfc[ _](?:pause|limit)",
            r"wsrep: paused",
            r"gcs sm (?:enter|enqueue)",
            r"gcs sm enqueue common",
            Words(r"flow control paused\D{0,6}(0?\.\d+|1(?:\.0+)?)\b", 0.05),
        ),
    ),
    "receive_queue": (
        "a node's receive queue is long.",
        (
            Words(r"recv queue(?: avg| max)?(?: [\w-]+)?\W{1,4}(\d[\d,]*(?:\.\d+)?)", 10),
            r"receive queues? .{0,20}(?:grow|long|fill|full|large)",
            r"slave queue (?:is )?(?:long|grow|full)",
        ),
    ),
    "slow_node": (
        "one node is slower than the others.",
        (
            r"slow(?:est|er)? (?:node|member|peer)",
            r"(?:node|member) .{0,12}(?:is )?(?:slow|overload|busy)",
            r"\bon one (?:node|member|reader)\b",
            r"(?:one|a) non-?writ\w+ node",
            r"single node\b",
        ),
    ),
    "state_transfer": (
        "a state transfer runs, or a node is donor or joiner.",
        (
            r"\bsst\b",
            (
                r"(?:\b(?:an?|by|via|with|through|full|the|during|after|wsrep:?) ist\b|\bist (?:st|is|rec|sen|req|"
                r"from|took|of))"
            ),
            r"\bdonors?\b(?!/desync)",
            r"\bjoiners?\b",
            r"state (?:snapshot )?transfer",
            r"gcache\b.{0,25}(?:too small|not (?:in|long)|wrapped|overwrit|purged|size of the)",
        ),
    ),
    "manual_desync": (
        "a node was taken out of flow control by hand or by a backup.",
        (
            r"desyncs itself",
            r"wsrep desync\W{0,4}(?:on|1|true)\b",
            r"desync\w* (?:by hand|manually|for (?:the |a )?(?:backup|dump|ddl|alter))",
        ),
    ),
    "resync": (
        "a node that was left out of flow control takes part in it again.",
        (
            r"resyncs itself",
            r"wsrep desync\W{0,4}(?:off|0|false)\b",
            r"donor/desynced\)? ?(?:->|to|→) ?joined",
            r"(?:taken|put|brought) back into (?:the )?(?:cluster|flow)",
        ),
    ),
    "gcache_pages": (
        "Galera's cache spills over into page files.",
        (r"created page .{0,80}gcache", r"gcache\.page", r"gcache.{0,20}(?:spill|overflow|page files?)"),
    ),
    "apply_failed": (
        "a node could not apply a write set.",
        (
            r"bf applier failed",
            r"fail(?:ed|ure|s)? (?:to apply|applying) (?:the )?(?:trx|write ?set|transaction|app buffer|event)",
            r"(?:trx|transaction|event|write ?set) appl\w* (?:error|fail)",
            r"node consistency compromi[sz]ed|inconsistency detected|inconsistent by consensus|inconsistency voting",
            r"no (?:\w+ )?appl\w+ (?:threads?|are|is|left)",
            r"appl\w+ threads? (?:\w+ )?(?:gone|missing|exited|killed|died|dead|terminated|aborted)",
        ),
    ),
    "pauses_from_one_node": (
        "one node asks for the pauses.",
        (
            r"(?:flow control|\bfc) sent\b.{0,12}(?:ris|grow|increas|high|many|climb)",
            Words(r"(?:flow control|\bfc) sent\D{0,4}(\d+)", 20),
            (
                r"(?:one|same|that|slow\w*|single) (?:node|member)\b.{0,30}(?:sends|asks for|requests|triggers|"
                r"causes) .{0,20}(?:flow|fc|paus)"
            ),
        ),
    ),
    "one_node_figure": (
        "a figure of one node stands out.",
        (
            (
                r"^(?:wsrep |galera |pxc |cluster )?(?:db|node|pxc|galera|mysql|host|srv|server|member|percona|mariadb)"
                r"[- ]?\w{0,2}\d+\b.{0,25}(?:disk|device|i/o|io ?wait|await|\bcpu|load|swap).{0,20}\b(?:9\d|100)\b"
            ),
            r"(?:only|just) (?:on )?(?:one|that|this|the \w+) (?:node|member)\b.{0,40}(?:disk|i/o|cpu|queue|swap|slow)",
            (
                r"(?:shared|reporting|backup|read(?:er|[- ]only)?|remote|arbitrator|passive|standby) (?:node|"
                r"member)\b.{0,40}(?:disk|i/o|cpu|queue|swap|slow|overload|100|full|busy)"
            ),
        ),
    ),
    "primary_change": (
        "a change of the primary member waits.",
        (
            r"set ?primary ?instance|group replication set as primary|running ?transactions? ?timeout",
            r"group replication switch to single primary",
            r"(?:primary|planned) (?:election|switch\w*|change|hand-?over)|primary (?:is|was) (?:changed|elected)",
        ),
    ),
    "commit_monitor": (
        "threads wait in the monitors that order commits.",
        (
            r"commit ?order",
            r"commit ?monitor",
            r"apply ?monitor",
            r"galera::monitor",
            r"\blocal ?monitor",
            r"waiting (?:for|in) .{0,20}order",
            r"wsrep.{0,20}ordered",
        ),
    ),
    "cluster_conflicts": (
        "write sets of different nodes conflict.",
        (
            r"certification fail",
            r"brute force|bf[- ]abort",
            r"high priority abort",
            r"cluster conflict",
            r"local (?:cert failures|bf aborts)",
            r"multi-?(?:master|primary|writer)",
            r"writes? (?:to|on) (?:all|both|several|two|three|every|each) nodes?",
        ),
    ),
    "total_order": (
        "a schema change runs in total order isolation.",
        (r"\btoi\b", r"total order", r"osu method", r"\brsu\b"),
    ),
    "write_set_size": (
        "a write set is very large.",
        (
            r"max ws (?:size|rows)",
            r"write ?sets?\b.{0,30}\b\d+ ?(?:gb|mb|gib|mib)",
            r"transaction size (?:limit|exceed)",
            r"maximum write ?set",
            r"(?:large|huge|big) write ?set",
        ),
    ),
    "replication_reader": (
        "something else than a replica reads the stream, and only that is late.",
        (
            r"\breader\b.{0,10}lag",
            r"(?:native|other|normal) (?:replica|slave)s?\b.{0,20}(?:lag|keeps? up|none|current|fine)",
            r"\bcdc\b",
            r"debezium|maxwell|canal\b",
        ),
    ),
    "consensus_hint": (
        "perhaps ordering and consensus of the group take the time.",
        (
            r"\bview change",
            r"message (?:cache|size|delivery)",
            r"group communication|gcs\b",
            r"far(?:away)? member|remote member",
            r"latency between (?:the )?(?:members|nodes)",
            r"broadcast",
        ),
    ),
    "certification_hint": (
        "perhaps the certification database or its clean-up is involved.",
        (
            r"certif",
            r"\bgc\b",
            r"periodic|periodically",
        ),
    ),
    "galera_pause_hint": (
        "perhaps Galera's flow control pauses the cluster.",
        (
            r"cluster (?:is |was )?(?:paused|stopped|frozen|stalled)",
            r"all nodes (?:stop|stall|freeze|pause|wait)",
            r"(?:flow control|\bfc) (?:sent|recv|received)\b.{0,12}(?:ris|grow|increas|high|many|climb)",
        ),
    ),
    "slow_node_hint": (
        "perhaps one node is slower than the others.",
        (
            r"(?:disk|load|cpu|backup|storage) (?:of|on) (?:one|a|that|this) node",
            r"one node\b",
        ),
    ),
    "unreachable_hint": (
        "perhaps a member is unreachable or suspected.",
        (
            r"network (?:split|partition|cut)",
            r"view\(.*non|\bpartition(?:ed|ing)? (?:member|node|network)",
            r"(?:pulled|unplugged|firewall|iptables|kill -stop|sigstop)",
        ),
    ),
    "recovering_hint": (
        "perhaps a member is joining or recovering.",
        (
            r"takes? (?:part|hours) to join",
            r"group_replication_recovery|recovery channel",
            r"added? (?:a )?(?:new )?member",
        ),
    ),
    "galera_appliers": (
        "the number of Galera applier threads or their parallelism is named.",
        (
            r"wsrep (?:slave|applier) threads",
            r"applier threads?",
            r"cert deps distance",
            r"slave threads",
        ),
    ),
    "wsrep_cost": (
        "the same server is slower once it is a cluster node.",
        (
            r"(?:with|without) wsrep",
            r"wsrep (?:on|provider|lines)\b",
            r"single[- ]node cluster|one[- ]node cluster|cluster of one",
            r"slower (?:than|as) (?:a )?(?:standalone|single|stand-alone|plain)",
            r"(?:standalone|single) (?:server|node|instance).{0,30}faster",
        ),
    ),
    "replicating": (
        "sessions wait until the cluster has their write set.",
        (
            r"wsrep:? (?:initiating |in )?(?:replicat\w+|pre-?commit)",
            r"replicating and certifying|gcs replv|evs repl latency",
        ),
    ),
    "no_scaling": (
        "more clients or threads do not raise the rate.",
        (r"stops? scaling",),
    ),
    "cluster_conflicts_hint": (
        "perhaps write sets of different nodes conflict.",
        (
            r"conflicts?\b",
            r"wsrep.{0,10}abort",
            r"er lock deadlock",
        ),
    ),
}

register_words(_GROUPS)
