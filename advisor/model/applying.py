"""How a setting reaches a running cluster, and whether it did."""

from __future__ import annotations

from enum import StrEnum

from advisor.model.record import record


class Application(StrEnum):
    """What it takes for a changed value to take effect, from the least to the most."""

    DYNAMIC = "dynamic"  # SET GLOBAL, at once
    NEW_SESSIONS = "new_sessions"  # SET GLOBAL, for connections made after it
    PROVIDER_OPTION = "provider_option"  # SET GLOBAL wsrep_provider_options, at once
    RECEIVER_RESTART = "receiver_restart"  # the replica's receiving thread
    APPLIER_RESTART = "applier_restart"  # the replica's applying threads
    MEMBER_REJOIN = "member_rejoin"  # STOP and START GROUP_REPLICATION on the member
    GROUP_RESTART = "group_restart"  # every member stopped, the group bootstrapped again
    SERVER_RESTART = "server_restart"  # an option file line and a restart of the server


@record
class AppliedSetting:
    """One value of one member, before and after. `read_back` is what the server says it has now."""

    member: str
    name: str
    wanted: str
    before: str
    read_back: str
    how: Application
