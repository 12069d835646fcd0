"""What does the user state of the machine and the load of a side? As in `--host old:cpus=16 --observe clients=8`."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from advisor.check.known_names import OBSERVED_NAMES
from advisor.check.stated import parse_host
from advisor.cli.shared.name_value import parse_name_value
from advisor.errors import UsageError
from advisor.evidence.formats.observations import read_observations
from advisor.model.evidence import Cluster, Fact
from advisor.model.record import replace

_OF_SIDE: Final = re.compile(r"([A-Za-z0-9][\w.+-]*):(.+)\Z", re.DOTALL)
_HINT: Final = "--observe clients=64 for all sides, --observe A:clients=64 for one"


def with_stated(cluster: Cluster, label: str, hosts: Sequence[str], observations: Sequence[str]) -> Cluster:
    """The side with what is stated of it or of all sides; it takes precedence over files."""
    host = parse_host(_about(label, hosts))
    observed = _observed(_about(label, observations))
    members = [
        replace(member, host={**member.host, **host}, observed={**member.observed, **observed})
        for member in cluster.members
    ]
    return replace(cluster, members=tuple(members))


def refuse_unknown_sides(labels: Sequence[str], option: str, texts: Sequence[str]) -> None:
    """UsageError where a text is about a side that is not there."""
    for text in texts:
        match = _OF_SIDE.match(text)
        if match and match[1] not in labels:
            raise UsageError(f"{option}: there is no side {match[1]!r}", hint=f"the sides are {', '.join(labels)}")


def _about(label: str, texts: Sequence[str]) -> list[str]:
    """Those that are about the side, without its name; those for all sides come first."""
    named = [match for text in texts if (match := _OF_SIDE.match(text))]
    for_all = [text for text in texts if not _OF_SIDE.match(text)]
    return for_all + [match[2] for match in named if match[1] == label]


def _observed(texts: Sequence[str]) -> dict[str, Fact]:
    values: dict[str, str] = {}
    for text in texts:
        for part in text.split() if text.count("=") > 1 else [text]:
            name, value = parse_name_value(part, "--observe", hint=_HINT)
            if name not in OBSERVED_NAMES:
                raise UsageError(
                    f"--observe: {name!r} is not known", hint=f"known: {', '.join(sorted(OBSERVED_NAMES))}"
                )
            values[name] = value
    return dict(read_observations(json.dumps(values), "--observe")[0].observed) if values else {}
