"""How are the values of `advisor lab up` written? Parsed by the lab, which is imported only when one is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from advisor.cli.shared.name_value import NameValue, parse_name_value
from advisor.errors import UsageError


class MemberSetting(NamedTuple):
    """A setting for the member with this number, counted from 1."""

    member: int
    name: str
    value: str


class MemberNumber(NamedTuple):
    """A number (of CPUs, of milliseconds) for the member with this number, counted from 1."""

    member: int
    value: float


def parse_setting(text: str, option: str = "--set") -> NameValue:
    """OPTION=VALUE as in an option file; UsageError for a setting that the lab itself controls."""
    from advisor.lab.settings import user_setting

    pair = parse_name_value(text, option, empty_value=True, hint="write option=value, as in an option file")
    return NameValue(*user_setting(pair.name, pair.value, option))


def parse_member_setting(text: str) -> MemberSetting:
    """NUMBER:OPTION=VALUE."""
    member, setting = _split_member(text, "--member-set", "option=value")
    return MemberSetting(member, *parse_setting(setting, "--member-set"))


def parse_cpus(text: str) -> float:
    """A number of CPUs."""
    from advisor.lab.limits.cpus import parse_cpus

    return parse_cpus(text, "--cpus")


def parse_member_cpus(text: str) -> MemberNumber:
    """NUMBER:CPUS."""
    from advisor.lab.limits.cpus import parse_cpus

    return _member_number(text, "--member-cpus", "0.5", parse_cpus)


def parse_rtt(text: str) -> float:
    """A round-trip time; in milliseconds."""
    from advisor.lab.network.emulation import parse_rtt

    return parse_rtt(text, "--rtt")


def parse_member_rtt(text: str) -> MemberNumber:
    """NUMBER:TIME."""
    from advisor.lab.network.emulation import parse_rtt

    return _member_number(text, "--member-rtt", "50ms", parse_rtt)


def parse_bandwidth(text: str) -> int:
    """A bandwidth; in bits per second."""
    from advisor.lab.network.emulation import parse_bandwidth

    return parse_bandwidth(text, "--bandwidth")


def parse_disk(text: str) -> int:
    """The size of a disk; in bytes."""
    from advisor.lab.limits.disks import parse_disk

    return parse_disk(text, "--disk")


def _member_number(text: str, option: str, example: str, parse: Callable[[str, str], float]) -> MemberNumber:
    member, value = _split_member(text, option, example)
    return MemberNumber(member, parse(value, option))


def _split_member(text: str, option: str, example: str) -> tuple[int, str]:
    """A member's number and the text after the colon."""
    number, _, value = text.partition(":")
    if not number.isdecimal():
        raise UsageError(
            f"{option} {text}: does not begin with a member's number",
            hint=f"write 2:{example}; members are numbered from 1",
        )
    return int(number), value
