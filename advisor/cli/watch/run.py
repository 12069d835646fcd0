"""What does `advisor watch` do? Finds the members, opens the ring, and watches until it is asked to stop."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.live_cluster import LiveOptions, find_members
from advisor.cli.shared.terminal import Colour, write
from advisor.errors import UsageError
from advisor.model.monitoring.now import ClusterNow
from advisor.model.record import record
from advisor.report.watch import document, lines
from advisor.report.words.values import printable
from advisor.ring.writer import LEAST_BYTES, RingBounds, RingWriter
from advisor.units import parse_size
from advisor.watch.conditions import parse_condition
from advisor.watch.metrics import Metrics, parse_listen, serving
from advisor.watch.session import Watch, WatchRequest

_LEAST_KEEP_SECONDS = 600.0
Show = Callable[[ClusterNow], None]
Tell = Callable[[str], None]


@record
class WatchOptions:
    """What the command line says, beyond the cluster."""

    ring: Path
    keep_seconds: float
    at_most: str
    when: tuple[str, ...]
    cool_down_seconds: float
    listen: str
    keep_names: bool
    quiet: bool


def run(live: LiveOptions, options: WatchOptions, form: ListFormat, colour: Colour) -> None:
    """Watch until SIGTERM or Ctrl-C. UsageError before anything is read, ServerError when no cluster is found."""
    request = request_of(options)
    listen = parse_listen(options.listen) if options.listen else None
    target = find_members(live)
    stop = threading.Event()
    with ExitStack() as stack:
        stop_at_signals(stop)
        metrics = Metrics() if listen else None
        if metrics is not None and listen is not None:
            stack.enter_context(serving(metrics, listen))
        told = _Told()
        ring = RingWriter(options.ring, request.bounds, told)
        stack.callback(ring.close)
        show, told.tell = _output(stack, options, form, colour)
        for problem in target.problems:
            told(problem)

        def every_second(now: ClusterNow) -> None:
            if metrics is not None:
                metrics.take(now)
            show(now)

        Watch(target, ring, request, every_second, told, stop).run()


class _Told:
    """Tells of an event as the output does that is open by then."""

    def __init__(self) -> None:
        self.tell: Tell = _complain

    def __call__(self, text: str) -> None:
        self.tell(text)


def request_of(options: WatchOptions) -> WatchRequest:
    """What to watch for; UsageError for bounds that are too small, and for a condition that cannot be judged."""
    most = parse_size(options.at_most)
    if most is None or most < LEAST_BYTES:
        raise UsageError(f"--at-most {options.at_most}: must be a size of at least 16M", hint="e.g. 500M or 4G")
    if options.keep_seconds < _LEAST_KEEP_SECONDS:
        raise UsageError("--keep: must be at least 10m", hint="e.g. 24h or 7d")
    return WatchRequest(
        bounds=RingBounds(options.keep_seconds, most),
        conditions=tuple(parse_condition(text) for text in options.when),
        cool_down_seconds=options.cool_down_seconds,
        keep_names=options.keep_names,
    )


def stop_at_signals(stop: threading.Event) -> None:
    """SIGTERM, SIGHUP and Ctrl-C end the recording in good order; a second Ctrl-C ends it at once."""

    def ask(number: int, frame: object) -> None:
        if stop.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stop.set()

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, ask)


def _output(stack: ExitStack, options: WatchOptions, form: ListFormat, colour: Colour) -> tuple[Show, Tell]:
    """What shows a second, and what tells of an event."""
    if options.quiet:
        return (lambda now: None), _complain
    if form is ListFormat.JSON:
        return (lambda now: write(document.render(now))), _complain
    if not sys.stdout.isatty():
        return (lambda now: write(lines.render(now))), _complain
    from advisor.cli.watch.live_screen import LiveScreen

    screen = stack.enter_context(LiveScreen(colour))
    return screen.show, screen.tell


def _complain(text: str) -> None:
    write(f"{printable(text)}\n", sys.stderr)
