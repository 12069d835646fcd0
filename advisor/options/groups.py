"""Which groups of an option file does a server of this release read?"""

from __future__ import annotations

from functools import cache

from advisor.model.options import Argument, Reading, ReadProblem
from advisor.model.server import Family, Release

# With what may follow: the series, a suffix, the number of mysqld_multi; [mysqld_safe] has rules of its own.
_MAYBE_OF_A_SERVER = ("mysqld", "mariadbd", "server", "mariadb", "client-server", "galera", "mysql_cluster")


@cache
def server_groups(release: Release, suffix: str = "") -> frozenset[str]:
    """Names in small letters; `suffix` is the value of `--defaults-group-suffix`."""
    major, minor = release.version[:2]
    series = f"{major}.{minor}"
    groups = ["mysqld", "server", f"mysqld-{series}"]
    if release.family is Family.MARIADB:
        groups += ["mariadb", f"mariadb-{series}", "mariadbd", f"mariadbd-{series}", "client-server", "galera"]
        if release.version >= (11, 5, 0):  # seen on 11.8, not on 11.4
            groups += [f"mariadb-{major}", f"mariadbd-{major}"]
    elif release.version >= (8, 4, 0):
        groups.append("mysql_cluster")  # builds with NDB compiled in, as the packages are from 8.4
    if suffix:
        groups += [group + suffix for group in groups]
    return frozenset(map(str.lower, groups))


def read_as(reading: Reading, release: Release) -> Reading:
    """The reading as servers of this release have it; see `Reading.cut`."""
    whole = release.family is Family.MYSQL and release.version >= (9, 0, 0)
    return reading if whole or reading.cut is None else reading.cut


def select(reading: Reading, release: Release, suffix: str = "") -> tuple[Argument, ...]:
    """The arguments the server gets, in reading order: groups count in the order of the files, not of the list."""
    arguments, groups = read_as(reading, release).arguments, server_groups(release, suffix or reading.group_suffix)
    wanted = {group for group in {a.group for a in arguments} if group.lower() in groups}
    return tuple([a for a in arguments if a.group in wanted])


def is_for_clients_alone(reading: Reading) -> bool:
    """Whether the files have groups, and none that any server reads, whatever its release or group suffix."""
    names = [group.lower() for group in reading.groups]
    return bool(names) and not reading.problems and not any(map(_may_be_of_a_server, names))


def _may_be_of_a_server(name: str) -> bool:
    following = (name[len(word) :] for word in _MAYBE_OF_A_SERVER if name.startswith(word))
    return any(not "a" <= rest[:1] <= "z" for rest in following)


def problems(reading: Reading, release: Release) -> tuple[ReadProblem, ...]:
    """What a server of this release finds wrong with the files themselves."""
    return read_as(reading, release).problems
