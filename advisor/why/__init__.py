"""What limits the cluster, and what would help? `diagnose` turns evidence into a diagnosis.

The rooms in the order of a diagnosis: `interval` cuts the evidence to the load · `members` says who writes and who
applies · `facts/` derives what signs look at · `rules/` reads causes, ceilings, classes of waits and the calibration ·
`profile/` where the time of threads went · `time_breakdown`, `ceilings` · `causes` (`explained_time`), `confidence` ·
`vocabulary/` weighs the words of a report · `rank` · `prediction` (`rate_without_wait`, `queueing`) · `differential/`
says what it may be where no cause is an answer · `next_observation`, `evidence_gaps` · `customer_reply`.
Changes are measured on a running cluster in `live/`; `verified/` says what they teach the next prediction.
"""

from advisor.why.diagnose import diagnose

__all__ = ["diagnose"]
