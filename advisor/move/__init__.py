"""What happens to a cluster that moves to another release, or to the other family?

`claims` what is known, from `rules/moves` · `scope` which claims are about this move · `defaults` what changes
although nobody sets it · `fate` what becomes of one option · `translation` what to write instead · `sections` groups
that the target does not read · `rewrite` the option files for the target · `member` all of that for one server ·
`topology` what another topology asks for · `plan` for a cluster, with its path, its features and the order of steps.
"""

from advisor.move.claims import load_claims
from advisor.move.plan import plan_move
from advisor.move.scope import target_release

__all__ = ["load_claims", "plan_move", "target_release"]
