"""What binds, and what would help? `diagnose` turns evidence into a budget, ceilings, causes and a prediction."""

from advisor.why.diagnose import diagnose

__all__ = ["diagnose"]
