"""Which gain is worth a run, a second clone's time, a change of a running server?

The thresholds rise with what a wrong decision costs. A run costs a minute, so a predicted gain of 2 % is enough to try
or to repeat a configuration. 3 % over the baseline is what a tuning run is for: a smaller confirmed gain neither
resets `--patience` nor is worth a second clone's time, and a recommendation must be significantly above it, or nobody
should touch a running server; so taking changes away again may cost that much: a shorter list is worth it. The first
must stay below the second, or the search would not repeat what could still be accepted.
"""

from __future__ import annotations

from typing import Final

WORTH_A_RUN: Final = 0.02  # log units of predicted gain
WORTH_PURSUING: Final = 0.03  # log units of confirmed gain: patience, and a second clone's time
WORTH_CHANGING: Final = 1.03  # ratio to the baseline that the 95 % interval must exceed
TOLERATED_LOSS: Final = 0.03  # log units that a shorter list of changes may cost
