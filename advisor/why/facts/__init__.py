"""Derived facts that only a diagnosis asks for: shares of time, rates of appliers, what people tried.

They are called like all others (`fact.<name>`); naming this package makes them known, so that `check` need not load
them.
"""

from __future__ import annotations

import os
from functools import lru_cache

from advisor.evidence.facts import load_modules


@lru_cache(maxsize=1)
def make_known() -> None:
    """Load every module of this folder, which registers its facts."""
    load_modules(os.path.dirname(__file__), __name__)
