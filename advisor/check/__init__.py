"""Rules × evidence → findings. Pure judging: needs no server and reads nothing but rule files.

In the order of a check: `rule_loader`, `schema` files become rules · `rule_set` those for a release · `stated` what the
user knows better · `possible_releases` which releases the servers may be · `judge` every rule for each of them ·
`message`, `advice` the finding in words · `suppress`, `baseline` what somebody accepted · `fix_plan` what to edit. For
authors of rules: `lint_folder`, `lint`, `known_names`, `cases`.
"""

from advisor.check.judge import check
from advisor.check.rule_loader import load_rules

__all__ = ["check", "load_rules"]
