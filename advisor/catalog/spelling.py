"""How is a canonical name written for a release?"""

from __future__ import annotations

from functools import lru_cache

from advisor.catalog.names import spellings
from advisor.catalog.variables import load
from advisor.model.server import Release


@lru_cache(maxsize=16384)
def spelling(name: str, release: Release) -> str | None:
    """How to write a canonical name for a release; None when it has no such variable."""
    catalog = load(release)
    candidates = [name, *spellings(release.family).get(name, ())]
    variables = [variable for candidate in candidates if (variable := catalog.get(candidate)) is not None]
    variables.sort(key=lambda variable: bool(variable.deprecated))  # stable: the canonical name wins among equals
    return variables[0].name if variables else None
