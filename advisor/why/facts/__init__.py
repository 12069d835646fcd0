"""Derived facts that only a diagnosis asks for: shares of time, rates of appliers, what people tried.

They are called like all others (`fact.<name>`); naming this package makes them known, so that `check` need not load
them.
"""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import import_module


@lru_cache(maxsize=1)
def make_known() -> None:
    """Load every module of this folder, which registers its facts."""
    for file in sorted(os.listdir(os.path.dirname(__file__))):
        if file.endswith(".py") and file != "__init__.py":
            import_module(f"{__name__}.{file[:-3]}")
