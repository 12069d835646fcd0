"""How busy a machine was, from what pt-stalk keeps of /proc and df."""

from __future__ import annotations

from advisor.evidence.formats import host
from advisor.evidence.member.builder import MemberBuilder

STAT = """TS 1772359200.0 2026-03-01 10:00:00
cpu  100 0 100 700 100 0 0 0 0 0
cpu0 50 0 50 350 50 0 0 0 0 0
TS 1772359210.0 2026-03-01 10:00:10
cpu  500 0 200 1100 300 0 0 0 0 0
cpu0 250 0 100 550 150 0 0 0 0 0
"""
DISKS = """TS 1772359200.000 2026-03-01 10:00:00
   7       0 loop0 9 0 9 9 9 9 9 9 0 900 9
   8       0 sda 100 0 100 10 100 0 100 10 0 1000 20
   8       1 sda1 100 0 100 10 100 0 100 10 0 1000 20
   8      16 sdb 100 0 100 10 100 0 100 10 0 5000 20
TS 1772359210.000 2026-03-01 10:00:10
   7       0 loop0 9 0 9 9 9 9 9 9 0 9900 9
   8       0 sda 100 0 100 10 100 0 100 10 0 2000 20
   8       1 sda1 100 0 100 10 100 0 100 10 0 2000 20
   8      16 sdb 100 0 100 10 100 0 100 10 0 14000 20
"""
DF = """Filesystem     1K-blocks     Used Available Use% Mounted on
/dev/sda1      264212084 26799256  68702008  29% /
tmpfs           12342048        0  12342048   0% /dev/shm
/dev/sdb       264212084 26799256  68702008  29% /var/lib/mysql
"""


def told(builder: MemberBuilder) -> dict[str, object]:
    return {name: fact.value for name, fact in builder.host.items()}


def test_work_and_waiting_are_shares_of_what_passed_between_the_first_reading_and_the_last() -> None:
    builder = MemberBuilder()
    host.add_processor_load(builder, STAT, "procstat")
    assert told(builder) == {"cpu_util": 0.4545, "iowait": 0.1818}


def test_work_of_nice_processes_is_told_apart_where_the_processors_are_counted() -> None:
    builder = MemberBuilder()
    begin, end = "cpu  0 0 0 0 0 0 0 0 0 0", "cpu  300 600 50 1000 50 0 0 0 0 0"
    text = "".join(f"TS {at} x\n{all_of_them}\ncpu0 0\ncpu1 0\n" for at, all_of_them in ((1.0, begin), (11.0, end)))
    host.add_procstat(builder, text, "procstat")
    host.add_processor_load(builder, text, "procstat")
    assert told(builder) == {"cpus": 2, "cpu_util": 0.475, "iowait": 0.025, "nice_cpus": 0.6}


def test_one_reading_or_counters_that_fell_tell_nothing() -> None:
    builder = MemberBuilder()
    host.add_processor_load(builder, STAT.split("TS 1772359210")[0], "procstat")
    first, second = STAT.split("TS 1772359210")
    host.add_processor_load(builder, f"TS 1772359210{second}{first}", "procstat")
    host.add_disk_load(builder, DISKS.split("TS 1772359210")[0], "diskstats", "sda")
    assert told(builder) == {}


def test_the_disk_with_the_data_counts_and_is_named() -> None:
    builder = MemberBuilder()
    host.add_disk_load(builder, DISKS, "diskstats", host.device_of("/var/lib/mysql/", DF))
    assert told(builder) == {"disk_util": 0.9}
    assert builder.host["disk_util"].source == "diskstats, sdb"
    assert host.device_of("/srv/data", DF) == "sda1"


def test_where_the_data_is_on_no_known_disk_only_a_lone_disk_counts() -> None:
    several, lone = MemberBuilder(), MemberBuilder()
    host.add_disk_load(several, DISKS, "diskstats", "")
    assert told(several) == {}
    host.add_disk_load(lone, "".join(line for line in DISKS.splitlines(True) if " sdb " not in line), "diskstats", "")
    assert told(lone) == {"disk_util": 0.1}
