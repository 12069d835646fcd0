"""What do reports call that which a tuning run improved? A rate that was to rise, or a latency that was to fall."""

from __future__ import annotations

from advisor.model.recommendation import Contender, Recommendation, TriedSetting
from advisor.model.record import record
from advisor.model.tuning import Objective
from advisor.report.words.amounts import duration, rate


@record
class Aim:
    """The words of one objective. `figure` heads a column, `axis` names an axis, `improved` stands in a sentence.

    `lower_is_better`: ratios below 1 are gains.
    """

    figure: str
    axis: str
    improved: str
    lower_is_better: bool = False

    def of_contender(self, contender: Contender) -> str:
        """The figure over the blocks: the mean rate, or the median latency."""
        return duration(contender.latency_ms) if self.lower_is_better else rate(mean_rate(contender))

    def by_block(self, contender: Contender) -> tuple[float | None, ...]:
        """The figure of each block, in transactions per second or ms."""
        return contender.latencies_ms if self.lower_is_better else contender.rates

    def of_blocks(self, contender: Contender) -> str:
        """The figure of each block."""
        if self.lower_is_better:
            return ", ".join(map(duration, contender.latencies_ms))
        return ", ".join(map(rate, contender.rates))

    def of_trial(self, trial: TriedSetting) -> float | None:
        """The figure of a trial, in transactions per second or ms; None where nothing was measured."""
        return trial.latency_ms if self.lower_is_better and trial.rate is not None else trial.rate

    def in_words(self, value: float | None) -> str:
        """Such a figure as text."""
        return duration(value) if self.lower_is_better else f"{rate(value)} tx/s"


def aim_of(found: Recommendation) -> Aim:
    """The words for a tuning run."""
    if found.objective == Objective.LATENCY:
        figure = f"latency p{found.latency_percentile}"
        return Aim(figure, f"commit {figure}, ms", f"commit latency (p{found.latency_percentile})", True)
    if found.objective == Objective.APPLY_RATE:
        return Aim("tx/s", "transactions applied per second", "the rate at which replicas work off a backlog")
    return Aim("tx/s", "transactions per second", "throughput")


def mean_rate(contender: Contender) -> float | None:
    """Over the blocks that were measured."""
    rates = [value for value in contender.rates if value is not None]
    return sum(rates) / len(rates) if rates else None
