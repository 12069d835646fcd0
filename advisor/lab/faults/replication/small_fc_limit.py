"""A Galera node pauses all writers when only a few write sets wait in its queue."""

from __future__ import annotations

import re

from advisor.errors import LabError
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo

STRENGTH = {"fc_limit": 2}


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """At once."""
    target.refuse_unless(target.in_galera, "this fault needs Galera")
    with target.session() as session:
        before = re.search(r"gcs\.fc_limit *= *(\d+)", str(session.value("SELECT @@wsrep_provider_options")))
        if before is None:
            raise LabError(f"the provider of {target.member.name} has no gcs.fc_limit")
        session.rows("SET GLOBAL wsrep_provider_options = %s", f"gcs.fc_limit={strength['fc_limit']}")
    return {"fc_limit": before[1]}


def clear(target: FaultTarget, undo: Undo) -> None:
    """Restore the old value."""
    if target.runs:
        with target.session() as session:
            session.rows("SET GLOBAL wsrep_provider_options = %s", f"gcs.fc_limit={undo['fc_limit']}")
