"""Are two runs, servers or members comparable, and where do they differ in effect? Pure: evidence in, record out.

`quantities` what is compared, from rules/quantities · `sides` evidence as the releases it may be · `member_pairs` which
member stands against which · `side_value` a quantity on one side · `contradicted_files` when option files and defaults
cannot be trusted · `reasons` why it has that value · `equality` whether two values are alike · `other_settings` what
else differs · `merge_members` what several members share · `comparison` all of it, and the answer.
"""

from advisor.compare.comparison import compare
from advisor.compare.quantities import load_quantities
from advisor.compare.sides import Side, side_of

__all__ = ["Side", "compare", "load_quantities", "side_of"]
