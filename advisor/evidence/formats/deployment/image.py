"""Which server is in this container image?

Tags of the official images begin with the server's release (https://hub.docker.com/_/mysql, _/mariadb, _/percona), as
do those of Percona, Bitnami and Oracle.
"""

from __future__ import annotations

import re
from typing import Final

# The last parts of an image's name, from the most special to the plainest, and what --server calls the server.
_SERVERS: Final = (
    (r"percona[/-](?:percona-)?xtradb-cluster", "pxc"),
    (r"percona[/-]percona-server|percona-server|(?:^|/)percona$|percona[/-]ps", "percona"),
    (r"(?:^|/)(?:mariadb|mariadb-galera|mariadb-server|mariadb-debian|mariadb-lts)$", "mariadb"),
    (r"(?:^|/)(?:mysql|mysql-server|community-server|enterprise-server)$", "mysql"),
)
# Tags of the official images that move on to each new release: `mysql`, `mysql:latest`, `mariadb:lts`, `mysql:8`.
_OFFICIAL: Final = re.compile(r"(?:docker\.io/)?(?:library/)?(?:mysql|mariadb)")
_MOVING: Final = re.compile(
    r"(?:(\d+)|latest|lts|innovation|)(?:-(?:oracle|oraclelinux\d+|debian|noble|jammy|ubi\d*))?"
)
_NUMBER: Final = r"v?(\d+\.\d+(?:\.\d+)?)(?![\d.])"


def server_of_image(image: str) -> str:
    """As a bundle states it: "mysql 8.0.36", "mariadb 10.11", "mysql unknown"; "" for an image of something else.

    "mysql latest" or "mysql 8 latest" where the tag moves on to each new release, or to each of 8.
    """
    name, tag = _name_and_tag(image)
    family = next((server for pattern, server in _SERVERS if re.search(pattern, name)), "")
    if not family:
        return ""
    number = re.match(_NUMBER, tag)
    if number:
        return f"{family} {number[1]}"
    moving = _MOVING.fullmatch(tag) if _OFFICIAL.fullmatch(name) and not set("$@") & set(image) else None
    if not moving:
        return f"{family} unknown"
    return f"{family} {moving[1]} latest" if moving[1] else f"{family} latest"


def _name_and_tag(image: str) -> tuple[str, str]:
    """`registry:5000/name:tag@sha256:…` apart, in small letters; a colon before the last slash is a port."""
    plain = image.strip().lower().partition("@")[0]
    folder, slash, last = plain.rpartition("/")
    if "$" in plain:  # ${IMAGE:-mysql:8.0} is somebody else's choice; the family may show all the same
        plain = re.sub(r"\$\{[^}]*\}|\$\w+", "", plain)
        folder, slash, last = plain.rpartition("/")
        return f"{folder}{slash}{last.partition(':')[0]}", ""
    name, _, tag = last.partition(":")
    return f"{folder}{slash}{name}", tag
