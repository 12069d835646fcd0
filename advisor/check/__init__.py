"""Rules × evidence → findings. Pure judging: needs no server and reads nothing but rule files."""

from advisor.check.judge import check
from advisor.check.rule_loader import load_rules

__all__ = ["check", "load_rules"]
