"""Which derived facts does only a diagnosis ask for? Shares of time, rates of appliers, changes that users tried.

They are read like all others (`fact.<name>`). `make_known` registers them, so that `check` does not have to load them.
"""

from __future__ import annotations

import os
from functools import lru_cache

from advisor.evidence.facts import load_modules


@lru_cache(maxsize=1)
def make_known() -> None:
    """Load every module of this folder; loading one registers its facts."""
    load_modules(os.path.dirname(__file__), __name__)
