"""How large is the redo log, how full is it, and how long does it last at the measured rate?

"Async" is InnoDB's own word for the filling of the log from which on pages are flushed without regard to
`innodb_io_capacity`; a little above it sessions wait for room.
"""

from __future__ import annotations

from advisor.annotations import Any, Final
from advisor.catalog.older import is_older
from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Family

_RESIZED: Final = "status.Innodb_redo_log_capacity_resized"
_OLD_SIZES: Final = ("innodb_log_file_size", "innodb_log_files_in_group")
# Compiled where it is used: an option file, which is most of what is checked, has no monitor output.
LSN_PAIR: Final = r"(?s)Log sequence number\s+(\d+).*?Last checkpoint at\s+(\d+)"
AGE_COUNTERS: Final = (
    ("Innodb_redo_log_current_lsn", "Innodb_redo_log_checkpoint_lsn"),
    ("Innodb_lsn_current", "Innodb_lsn_last_checkpoint"),
)
_FEWEST_READINGS: Final = 2
_HALF_AN_HOUR_SECONDS: Final = 1800
_POOLS_OF_USE: Final = 4
_STEP: Final = 4
_ROUND_TO_BYTES: Final = 256 * 1024**2
_LARGEST_BYTES: Final = 512 * 1024**3


@fact("bytes")
def redo_capacity_bytes(e: MemberFacts) -> Any:
    """Total size of the redo log in bytes, by whatever counts in this release.

    MySQL 8.0.30+: the size the server reports (`Innodb_redo_log_capacity_resized`), else `innodb_redo_log_capacity`
    when it is given, else `innodb_log_file_size` × `innodb_log_files_in_group` when one of them is, else the default
    (manual, "Configuring Redo Log Capacity"; server message MY-013907). Older MySQL, and MariaDB before 10.5: size ×
    files. MariaDB since then: one file, whatever `innodb_log_files_in_group` says. Unknown where
    `innodb_dedicated_server` sizes it.
    """
    resized = e.get(_RESIZED)
    if isinstance(resized, int | float) and resized > 0:
        return resized
    if e.release.family is Family.MARIADB:
        files = e["innodb_log_files_in_group"] if is_older(e.release) else 1
        return e["innodb_log_file_size"] * files
    old_sizes_given = any(e.get(f"configured.{name}", False) for name in _OLD_SIZES)
    sized_by_server = e.get("innodb_dedicated_server", False)
    if e.exists("innodb_redo_log_capacity"):
        if e["configured.innodb_redo_log_capacity"]:
            return e["innodb_redo_log_capacity"]
        if not old_sizes_given:
            return e[_RESIZED] if sized_by_server else e["innodb_redo_log_capacity"]
    elif sized_by_server and not old_sizes_given:
        return UNKNOWN
    return e["innodb_log_file_size"] * e["innodb_log_files_in_group"]


@fact("bytes")
def redo_async_flush_bytes(e: MemberFacts) -> Any:
    """Checkpoint age in bytes from which InnoDB flushes pages as fast as it can, whatever innodb_io_capacity says.

    MySQL 8.0.30+: 0.775 of the capacity (32 files, 30 usable, 5 % kept by the writer, 7/8; log0files_capacity.cc,
    measured 0.772 to 0.776 from 32 MiB on). MySQL before: 7/8 of 0.9 × (0.9 × (capacity − 2048 × files) − free), where
    `free` is 4 pages for each of 10 + innodb_thread_concurrency threads and 8 more (log_calc_max_ages); so does MariaDB
    before 10.5. MariaDB 10.5+:
    7/8 of 0.9 × (0.9 × (size − 12288) − 786432) (log_set_capacity; agrees with Innodb_checkpoint_max_age to the byte).
    """
    capacity = e["fact.redo_capacity_bytes"]
    if e.release.family is Family.MARIADB and not is_older(e.release):
        return int(0.9 * (0.9 * (capacity - 12288) - 786432) * 7 / 8)
    if e.exists("innodb_redo_log_capacity"):
        return int(0.775 * capacity)
    page = e["innodb_page_size"]
    free = (10 + e["innodb_thread_concurrency"]) * 4 * page + 8 * page
    return int(0.9 * (0.9 * (capacity - 2048 * e["innodb_log_files_in_group"]) - free) * 7 / 8)


@fact("share")
def checkpoint_age_share(e: MemberFacts) -> Any:
    """The lowest checkpoint age among at least two readings, as a share of the async flush limit; 1 is at the limit.

    Ages come from LSN counters of the samples, MariaDB's Innodb_checkpoint_age, the metric log_lsn_checkpoint_age and
    SHOW ENGINE INNODB STATUS. The lowest counts, because a burst may fill the log for a moment without any harm.
    """
    ages = _ages(e)
    if len(ages) < _FEWEST_READINGS:
        raise NeedsError(Missing((_where_ages_are(e),)))
    return min(ages) / e["fact.redo_async_flush_bytes"]


@fact("share")
def checkpoint_age_once_share(e: MemberFacts) -> Any:
    """The checkpoint age of the only reading of it, as a share of the async flush limit; it may be that of a burst."""
    ages = _ages(e)
    if not ages:
        raise NeedsError(Missing((_where_ages_are(e),)))
    return ages[0] / e["fact.redo_async_flush_bytes"] if len(ages) < _FEWEST_READINGS else NOT_HERE


@fact("per_second")
def redo_space_waits_per_second(e: MemberFacts) -> Any:
    """How often per second sessions waited for room in the redo log: the InnoDB metric log_on_file_space_waits."""
    waits = _metric_rate(e, "log_on_file_space_waits")
    if waits is UNKNOWN:
        raise NeedsError(Missing(("innodb_metrics",)))
    return waits


@fact("bytes")
def redo_bytes_per_second(e: MemberFacts) -> Any:
    """Redo written per second in bytes, by the log sequence number.

    Innodb_os_log_written is no substitute: it counts every rewrite of a partly filled block, three times as much in a
    measurement with one client.
    """
    for counter in ("Innodb_redo_log_current_lsn", "Innodb_lsn_current"):
        rate = e.get(f"rate.{counter}")
        if rate is not UNKNOWN:
            return rate
    return _metric_rate(e, "log_lsn_current")


@fact("seconds")
def redo_seconds(e: MemberFacts) -> Any:
    """How many seconds of writing at the measured rate fit between a checkpoint and the async flush limit."""
    rate = e["fact.redo_bytes_per_second"]
    return e["fact.redo_async_flush_bytes"] / rate if rate > 0 else UNKNOWN


@fact("minutes")
def redo_minutes(e: MemberFacts) -> Any:
    """redo_seconds in minutes."""
    return e["fact.redo_seconds"] / 60


@fact("bytes")
def redo_capacity_for_half_an_hour_bytes(e: MemberFacts) -> Any:
    """The redo log that holds half an hour at the measured rate, in whole 256 MiB, at most InnoDB's 512 GiB.

    Room for the busiest hour is Percona's rule; half of it, because a sample is rarely a whole hour. The async limit is
    at 0.775 (MySQL 8.0.30+) or 0.7 of the capacity. Never more than redo_capacity_of_use_bytes.
    """
    usable = 0.775 if e.exists("innodb_redo_log_capacity") else 0.7
    wanted = min(e["fact.redo_bytes_per_second"] * _HALF_AN_HOUR_SECONDS / usable, e["fact.redo_capacity_of_use_bytes"])
    return int(min(-(-wanted // _ROUND_TO_BYTES) * _ROUND_TO_BYTES, _LARGEST_BYTES))


@fact("bytes")
def redo_capacity_to_set_bytes(e: MemberFacts) -> int:
    """The redo log to set where the present one is too small: what holds half an hour, or else four times the present.

    Four times also where half an hour fits already: the rate was measured while the log held the writers back.
    """
    now = e["fact.redo_capacity_bytes"]
    wanted = e.get("fact.redo_capacity_for_half_an_hour_bytes", None)
    larger = wanted if isinstance(wanted, int) and wanted > now else _STEP * now
    return int(min(larger, _LARGEST_BYTES))


@fact("bytes")
def redo_capacity_of_use_bytes(e: MemberFacts) -> Any:
    """The redo log beyond which a larger one saves hardly any page writes: four times the buffer pool.

    In one round of the log the checkpoint makes InnoDB write each page of the pool once at most, so with such a log the
    pages it writes are a quarter of the redo it writes.
    """
    return _POOLS_OF_USE * e["innodb_buffer_pool_size"]


def _ages(e: MemberFacts) -> list[float]:
    """Every reading of the checkpoint age there is, in bytes."""
    ages: list[float] = []
    for sample in e.member.samples:
        known = sample.values.get("Innodb_checkpoint_age")
        if isinstance(known, int | float):
            ages.append(known)
            continue
        for current, checkpoint in AGE_COUNTERS:
            written, flushed = sample.values.get(current), sample.values.get(checkpoint)
            if isinstance(written, int | float) and isinstance(flushed, int | float):
                ages.append(written - flushed)
                break
    ages = ages or [age for _, age in _metric(e, "log_lsn_checkpoint_age")]
    status = e.member.innodb_status
    if not status:
        return ages
    import re

    pairs = re.findall(LSN_PAIR, status)
    return ages + [int(written) - int(flushed) for written, flushed in pairs]


def _where_ages_are(e: MemberFacts) -> str:
    """What to collect so that this release shows its checkpoint age."""
    if e.release.family is Family.MARIADB:
        return "rate.Innodb_checkpoint_age"
    return "rate.Innodb_redo_log_current_lsn" if e.exists("innodb_redo_log_capacity") else "innodb_status"


def _metric(e: MemberFacts, name: str) -> list[tuple[float, float]]:
    """(seconds, count) of one row of information_schema.innodb_metrics, by time; [] when it is not collected."""
    readings = []
    for snapshot in e.member.tables:
        if snapshot.table.startswith("innodb_metrics"):
            for row in snapshot.rows:
                cells = {column.lower(): value for column, value in row.items()}
                count = cells.get("count")
                if cells.get("name") == name and cells.get("status") != "disabled" and isinstance(count, int | float):
                    readings.append((snapshot.at_seconds, count))
    return sorted(readings)


def _metric_rate(e: MemberFacts, name: str) -> Any:
    """Change per second of a metric between its first and last reading; UNKNOWN with one, or after a reset."""
    readings = _metric(e, name)
    seconds = readings[-1][0] - readings[0][0] if readings else 0
    counts = [count for _, count in readings]
    return (counts[-1] - counts[0]) / seconds if seconds > 0 and counts == sorted(counts) else UNKNOWN


@fact()
def redo_sync_rhythm(e: MemberFacts) -> str:
    """How often a background thread syncs the redo log, in words: "every 1 s", or what is known without the number.

    innodb_flush_log_at_timeout came with MySQL 5.6.6 and MariaDB 5.5; before, once a second is built in.
    """
    seconds = e.value("innodb_flush_log_at_timeout")
    return "about once a second by default" if isinstance(seconds, Missing) else f"every {seconds} s"
