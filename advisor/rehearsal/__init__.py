"""Does a planned move hold on real servers? Both releases run in the lab, with the files, under the same load.

`programs` which server programs stand for the two releases · `lab_settings` which lines of the files a lab can take ·
`replicate` whether the new release follows the old one · `rehearse` all of that in order, and the rates.
"""

from advisor.rehearsal.rehearse import RehearsalPlan, rehearse

__all__ = ["RehearsalPlan", "rehearse"]
