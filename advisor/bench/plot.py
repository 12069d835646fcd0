"""How does a run look? Throughput, backlog and lag over time, one above the other, the phases marked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from advisor.bench.measure.steady import committed, members
from advisor.errors import UsageError
from advisor.model.measurement import Measurement, Phase, Second
from advisor.model.progress import Progress

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENDINGS: Final = (".svg", ".png", ".pdf")
# Okabe and Ito's colours, told apart by nearly everybody; the first is the cluster's own.
_COLOURS: Final = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442")
_SHADES: Final = {Phase.WARM_UP: "#f3f3f3", Phase.MEASURE: "#ffffff", Phase.DRAIN: "#eaf1f8"}
_PHASES: Final = {Phase.WARM_UP: "warm-up", Phase.MEASURE: "measured", Phase.DRAIN: "drain"}


def check_plot(path: Path) -> None:
    """UsageError when a picture cannot be drawn to that file, before anything is measured."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"--plot {path}: the name must end in {', '.join(ENDINGS)}")
    if not path.absolute().parent.is_dir():
        raise UsageError(f"--plot {path}: there is no such folder")
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise UsageError("--plot needs matplotlib", hint="install advisor with its extra: advisor[bench]")


def draw(found: Measurement, seconds: Sequence[Second], title: str, path: Path) -> None:
    """Draw a run into a file; UsageError when it cannot be written."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.fonttype": "none"}):
        figure = Figure(figsize=(9, 7), layout="constrained")
        throughput, backlog, lag = figure.subplots(3, 1, sharex=True, height_ratios=(1.3, 1, 1))
        figure.suptitle(title, fontsize=10, x=0.01, ha="left", fontweight="bold")
        _throughput(throughput, found, seconds)
        for axes, name, words in ((backlog, "backlog", "backlog, transactions"), (lag, "lag_ms", "lag, ms")):
            for number, member in enumerate(_applying(found, seconds), 1):
                _line(axes, seconds, member, name, number)
            axes.set_ylabel(words)
            axes.set_ylim(bottom=0)
        lag.axhline(found.lag_bound_ms, color="#888888", linewidth=0.9, linestyle=(0, (4, 3)))
        lag.annotate("bound", (1.0, found.lag_bound_ms), xycoords=("axes fraction", "data"), va="bottom", ha="right",
                     color="#666666", annotation_clip=True)  # fmt: skip
        lag.set_xlabel("seconds")
        _phases((throughput, backlog, lag), seconds)
        try:
            figure.savefig(path, dpi=150)
        except OSError as error:
            raise UsageError(f"--plot {path}: cannot be written: {error.strerror}") from None


def _throughput(axes: Axes, found: Measurement, seconds: Sequence[Second]) -> None:
    at = _times(seconds)
    axes.plot(at, [committed(second) for second in seconds], color=_COLOURS[0], linewidth=1.6, label="committed")
    for number, member in enumerate(_applying(found, seconds), 1):
        _line(axes, seconds, member, "applied_per_second", number, f"applied by {member}")
    if found.sustained:
        rate = found.sustained[0].per_second
        axes.axhline(rate, color="#888888", linewidth=0.9, linestyle=(0, (4, 3)))
        axes.annotate(f"sustained {rate:,.0f}", (1.0, rate), xycoords=("axes fraction", "data"), va="bottom",
                      ha="right", color="#666666")  # fmt: skip
    axes.set_ylabel("transactions / s")
    axes.set_ylim(bottom=0)
    axes.legend(loc="lower left", frameon=False, ncols=4, bbox_to_anchor=(0, 1.06), borderaxespad=0)


def _line(axes: Axes, seconds: Sequence[Second], member: str, name: str, number: int, label: str = "") -> None:
    """One member's values; a gap where nothing is known."""
    rows = [_of(second, member) for second in seconds]
    values = [float("nan") if row is None or getattr(row, name) is None else getattr(row, name) for row in rows]
    axes.plot(_times(seconds), values, color=_COLOURS[number % len(_COLOURS)], linewidth=1.3, label=label or member)


def _phases(all_axes: Sequence[Axes], seconds: Sequence[Second]) -> None:
    """Shade each phase from the end of the one before, and name it at the top."""
    at, begin = _times(seconds), 0.0
    for phase in Phase:
        inside = [when for when, second in zip(at, seconds, strict=True) if second.phase is phase]
        if not inside:
            continue
        for axes in all_axes:
            axes.axvspan(begin, inside[-1], color=_SHADES[phase], zorder=-2, linewidth=0)
            axes.axvline(inside[-1], color="#cccccc", linewidth=0.7, zorder=-1)
        all_axes[0].annotate(_PHASES[phase], ((begin + inside[-1]) / 2, 1.0), xycoords=("data", "axes fraction"),
                             ha="center", va="bottom", color="#666666", fontsize=8)  # fmt: skip
        begin = inside[-1]
    all_axes[0].set_xlim(0, at[-1])


def _applying(found: Measurement, seconds: Sequence[Second]) -> list[str]:
    """Those that have others' transactions to apply."""
    alone = found.load.writers if len(found.load.writers) == 1 else ()
    return [name for name in members(seconds) if name not in alone]


def _of(second: Second, member: str) -> Progress | None:
    return next((row for row in second.members if row.member == member), None)


def _times(seconds: Sequence[Second]) -> list[float]:
    """Seconds from the beginning of the first interval."""
    first = seconds[0].at_seconds - max((row.interval_seconds for row in seconds[0].members), default=0.0)
    return [second.at_seconds - first for second in seconds]
