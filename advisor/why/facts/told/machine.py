"""What does a report say of the machine: memory, processors, how busy the disk is?"""

from __future__ import annotations

from typing import Final

from advisor.why.facts.told.words import Group, Words, register_words

_CPU: Final = r"(?<!thread )(?<!core )(?<!worker )(?<!coordinator )\bcpu"  # of the host, not of one thread
_GROUPS: Final[dict[str, Group]] = {
    "swap": (
        "the machine swaps or runs out of memory.",
        (
            r"\bswap(?:s|ped|ping|pin|pout)?\b(?!\W{0,2}(?:is |was )?(?:used|usage|space|file|free|total|\d))",
            r"kswapd",
            r"\bpaging\b",
            Words(r"\bsi\b\D{0,4}(\d+)", 20),
            "out of memory",
            r"\boom\b",
            r"memory pressure",
            "pswpin",
        ),
    ),
    "memory_short": (
        "the machine has no memory left beside the server.",
        (
            Words(r"(?:mem ?available|available memory|memory available)\D{0,40}(\d+)(?:-\d+)? ?mb", 0, 200),
            r"fork\b.{0,20}(?:not possible|fail|cannot|impossible)|(?:cannot|can't|unable to|could not) fork",
            r"(?:can't|cannot) create a new thread",
            r"page allocation (?:failure|stall)|allocstall|direct reclaim|memory reclaim|kswapd\d? .{0,20}(?:9\d|100)",
            r"oom[- ]?(?:killer|killed|score)|invoked oom",
        ),
    ),
    "swap_hint": (
        "swap space is in use, which alone does not say that the machine swaps.",
        (Words(r"swap\w* ?(?:used|usage)\D{0,12}([1-9]\d*)", 1), r"swap ?(?:used|usage)\b.{0,30}(?:million|few|gb|mb)"),
    ),
    "numa": (
        "NUMA placement matters.",
        (
            r"\bnuma\b",
            r"numactl\b(?!.{0,4}interleave)",
            "numastat",
            r"zone reclaim",
            r"(?:cross|remote)[- ](?:numa|socket|memory)",
            r"(?:two|dual|four)[- ]sockets?",
        ),
    ),
    "numa_interleaved": (
        "memory is spread over the NUMA nodes already.",
        (r"numactl\b.{0,4}interleave", r"numa interleave ?[=:]? ?(?:1|on)\b"),
    ),
    "cpu_full": (
        "the CPUs are fully busy.",
        (
            Words(
                _CPU + r"\w*(?: (?:use|usage|util\w*|load|percent|pct|busy))*\D{0,12}(\d+(?:\.\d+)?) ?%",
                88,
                100,
            ),
            Words(
                _CPU + r"(?: \w+){0,3} (?:percent|pct)\w*:? \D{0,3}(\d+(?:\.\d+)?)",
                88,
                100,
            ),
            r"all (?:\d+ )?(?:cores|cpus|proc[e]ssors) (?:are )?(?:busy|used|at|100)",
            r"cpu[- ](?:bound|saturated|starv|limit|throttl)",
            r"\bidle\W{0,3}0(?:\.\d+)?\b",
            Words(r"load average\D{0,5}(\d+)", 30),
            r"steal",
            r"100 ?% (?:of )?(?:the )?cpu",
            r"nr throttled",
            "cfs quota",
            r"cpu limit",
        ),
    ),
    "cpu_idle": (
        "the CPUs have little to do.",
        (
            Words(r"\bcpu\w* us\D{0,4}(\d+(?:\.\d+)?)", 0.01, 35),
            Words(r"\bid\b\D{0,4}(\d+(?:\.\d+)?)", 70, 100),
            Words(
                r"cpu\w*(?: (?:use|usage|util\w*|load|percent|pct|max|avg|busy))*\D{0,8}(\d+(?:\.\d+)?) ?(?:%|$)",
                0.01,
                35,
            ),
            Words(r"cpu(?: \w+){0,3} (?:percent|pct)\w*(?: max| avg)?:? \D{0,3}(\d+(?:\.\d+)?)", 0.01, 35),
            r"cpu (?:is |was |usage |use )?(?:mostly )?(?:idle|low|little used|unused)",
            Words(r"\bidle\D{0,4}(\d+(?:\.\d+)?)", 70, 100),
        ),
    ),
    "one_core_busy": (
        "one thread keeps one core busy while others idle.",
        (
            Words(
                r"(?:sql|applier|apply|replication|single) (?:thread )?cpu\w*(?: percent| pct)?\D{0,8}(\d+(?:\.\d+)?)",
                85,
                100,
            ),
            r"(?:one|single|a single|1)(?: cpu)?[ -]core",
            r"one core\b.{0,30}(?:busy|100|full)",
            r"100 ?% of (?:one|a single) (?:core|cpu)",
            r"(?:one|single) (?:cpu|thread)\b.{0,15}(?:at )?100",
            r"only one (?:core|cpu|thread|of them)",
        ),
    ),
    "disk_idle": (
        "the disk has little to do.",
        (
            Words(r"util(?:isation|ization)?\W{0,3}(?:percent|pct)?\D{0,10}(\d+(?:\.\d+)?)", 0, 40),
            r"disk\w* (?:is |are |was )?(?:mostly )?(?:idle|low|unused)",
            Words(r"queue depth\w*(?: max)?\D{0,4}(\d+(?:\.\d+)?)", 0, 2),
            Words(r"(?:iowait|\bwa\b)\D{0,4}(\d+(?:\.\d+)?)", 0, 3),
            r"\bwa low",
        ),
    ),
    "disk_full": (
        "a disk is or was full.",
        (r"disk (?:is |was )?full", r"no space left", r"errno:? 28", "disk space exhaust"),
    ),
    "performance_schema": (
        "the Performance Schema or other instrumentation is involved.",
        (
            r"performance[- ]schema",
            r"\bpfs\b",
            r"instrument(?:s|ation)\b",
            r"userstat",
            r"general log\b.{0,12}on",
            r"audit (?:log|plugin)",
        ),
    ),
    "instrumentation_cost": (
        "functions of the instrumentation itself take the time.",
        (
            r"my timer (?:cycles|nanoseconds|microseconds|milliseconds|ticks)",
            r"pfs (?:start|end|get|read|digest) \w+",
            r"\b(?:start|end) (?:mutex|rwlock|cond|table io|table lock|file|socket|stage|statement)\w*(?: wait)? v\d",
            r"(?:aggregate|reset) (?:thread|table|all) (?:waits|stages|statements|io)",
            r"find or create (?:digest|file|table)",
        ),
    ),
    "cpu_full_hint": (
        "perhaps the CPUs are fully busy.",
        (
            r"cpu (?:is |was )?(?:full|saturated|maxed|pegged|at 100|high|exhausted)",
            r"high cpu",
            r"vcpu.{0,20}(?:100|full|busy|limit)",
            r"cpu (?:steal|credits?|throttl)",
            r"cores? (?:at|are) 100",
            r"burstable|t2\.|t3\.",
        ),
    ),
    "numa_hint": (
        "perhaps NUMA placement matters.",
        (),
    ),
    "host_changed": (
        "the kernel, the CPU settings or the virtualisation of the host matter.",
        (
            r"\bkernel\b",
            r"meltdown|spectre|mitigation",
            r"governor|powersave|c-states?\b|frequency|turbo",
            r"hypervisor|vmware|\bkvm\b|hyper-v|virtualbox|proxmox|xen\b",
            r"glibc|libc\b",
        ),
    ),
}

register_words(_GROUPS)
