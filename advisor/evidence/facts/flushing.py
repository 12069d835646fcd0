"""How fast may pages be flushed, and on what kind of storage?"""

from __future__ import annotations

from advisor.annotations import Any, Final
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import UNKNOWN

_FLASH: Final = ("ssd", "nvme", "flash", "optane")
_SPINNING: Final = ("hdd", "spinning", "rotational", "rpm", "sata disk", "sas disk", "magnetic")
_LEAST_PER_SECOND: Final = 2000
_NOT_SET: Final = 4294967295  # what the servers hold before they compute the default; 64-bit builds print 2^64-1


@fact()
def storage_is_flash(e: MemberFacts) -> Any:
    """Whether the storage has no moving parts, as far as the words that describe it tell; unknown for a mixture."""
    words = str(e["host.storage"]).lower()
    flash, spinning = (any(word in words for word in kind) for kind in (_FLASH, _SPINNING))
    return UNKNOWN if flash == spinning else flash


@fact()
def io_capacity_max(e: MemberFacts) -> Any:
    """Pages per second that background flushing may reach: innodb_io_capacity_max.

    Not set, it is twice innodb_io_capacity and at least 2000 (manual of both families).
    """
    given = e.get("innodb_io_capacity_max")
    if e.get("configured.innodb_io_capacity_max", False) is True and given is not UNKNOWN and given < _NOT_SET:
        return given
    return max(2 * e["innodb_io_capacity"], _LEAST_PER_SECOND)
