"""What does the move mean for one server: its options, its files, whether it starts, and its defaults?"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence

from advisor.annotations import Final
from advisor.catalog import canonical, load, of_percona, spelling
from advisor.errors import AdvisorError, InputError
from advisor.evidence.member.redaction import redact_reading
from advisor.evidence.member_facts import MemberFacts
from advisor.model.catalog import NO_DEFAULT
from advisor.model.move import Fate, MemberMove, OptionMove
from advisor.model.options import STOPS_START, Reading, Setting, Settings
from advisor.model.record import record, replace
from advisor.model.server import Release, Topology
from advisor.move.claims import Claims
from advisor.move.defaults import ChangedDefaults, Named, as_text, changed_defaults
from advisor.move.rewrite import Moved, described, moved_options, rewritten
from advisor.move.sections import AdoptedReading, adopt
from advisor.move.translation import translations_for
from advisor.options import read_file, resolve
from advisor.options.names import understand
from advisor.options.plugins import loaded

_LOADED_BY: Final = {
    Topology.GROUP_REPLICATION: "plugin:group_replication",
    Topology.GALERA: "wsrep",
}


@record
class MemberRequest:
    """One server and where it is to go. `releases`: what it may be now, of one series; `root` as `read_file` has it."""

    view: MemberFacts
    releases: tuple[Release, ...]
    inference: str
    target: Release
    claims: Claims
    root: str


def member_move(request: MemberRequest) -> MemberMove:
    """Everything about one server."""
    options = request.view.member.options
    if options is None:
        return _without_files(request)
    reading, why_not = _with_secrets(options, request.root)
    adopted = adopt(reading, request.view.release, request.target)
    before, after = resolve(reading, request.view.release), _as_target(adopted.reading, request)
    translated = tuple(translations_for(before.all, request.view, request.target, request.claims.translations))
    moved = moved_options(before, after, translated, request.view.release, request.target)
    edits, lines = ((), {}) if why_not else rewritten(reading, moved, adopted, request.target)
    final = after if why_not else _after_edits(reading, {edit.path: edit.after for edit in edits}, request)
    if not why_not:
        _prove_rest(moved, final)
    changed = _defaults(request, _named_in_files(final, request.target) | _new_names(moved, request.target), final)
    return MemberMove(
        name=request.view.member.name,
        releases=request.releases,
        inference=request.inference,
        starts=_starts(adopted, after, request.target, reading),
        starts_rewritten=None if why_not else final.would_start,
        options=tuple(described(moved, lines)),
        defaults=changed.changes,
        rewritten=tuple((edit.path, edit.before, edit.after) for edit in edits),
        files=reading.files,
        not_rewritten=why_not,
        refusals=tuple(_refusals(final)) if not why_not else (),
        lost_groups=adopted.groups,
        new_groups=adopted.alone,
        unknown_defaults=changed.unknown,
    )


def _with_secrets(options: Reading, root: str) -> tuple[Reading, str]:
    """The option files as they are on this disk; else the evidence as it is, and why it cannot be rewritten.

    In evidence secrets are masked, and a rewritten file must keep them.
    """
    if options.kept_in:
        return options, f"the options are in {options.kept_in}"
    main = options.files[0] if options.files else ""
    if not os.path.isfile(main):
        return options, "the evidence has no option file on this disk"
    try:
        reading = read_file(main, root=root)
    except AdvisorError as error:
        return options, error.message
    if redact_reading(reading).arguments != options.arguments:
        return options, "the options come from several files that do not include each other"
    return reading, ""


def _as_target(reading: Reading, request: MemberRequest) -> Settings:
    """What the target makes of the options. Which options vendors add is not known in full; of those that come from the
    other family, only the names on their lists are taken for theirs."""
    settings, target = resolve(reading, request.target), request.target
    if not target.vendor or request.view.release.family is target.family:
        return settings
    plain = resolve(reading, replace(target, vendor="")).all
    every = tuple(
        setting if setting.variable is not None or _is_of_vendor(setting) else other
        for setting, other in zip(settings.all, plain, strict=True)
    )
    return replace(settings, all=every)


def _is_of_vendor(setting: Setting) -> bool:
    name = setting.argument.name.replace("-", "_").lower().removeprefix("loose_")
    return of_percona(name) or name.startswith(("wsrep_", "pxc_"))


def _starts(adopted: AdoptedReading, after: Settings, target: Release, reading: Reading) -> bool | None:
    """Whether the target starts with the files as they are: groups it does not read cannot stop it."""
    return resolve(reading, target).would_start if adopted.groups else after.would_start


def _after_edits(reading: Reading, edited: dict[str, bytes], request: MemberRequest) -> Settings:
    """What the target makes of the rewritten files."""
    contents = {path: edited[path] for path in reading.files if path in edited}
    return resolve(read_file(reading.files[0], root=request.root, edited=contents), request.target)


def _prove_rest(moved: Sequence[Moved], final: Settings) -> None:
    """InputError unless the rewritten files still say every line that was to stay."""
    stay = (Fate.KEPT, Fate.UNDECIDED, Fate.REFUSED)
    wanted = Counter((each.argument.name, each.argument.value) for each in moved if each.outcome.fate in stay)
    lost = wanted - Counter((setting.argument.name, setting.argument.value) for setting in final.all)
    for each in moved:
        argument = each.argument
        if (argument.name, argument.value) in lost:
            hint = "make the changes by hand"
            raise InputError("the change would alter this line", file=argument.file, line=argument.line, hint=hint)


def _refusals(settings: Settings) -> Iterator[str]:
    for setting in settings.all:
        for note in setting.notes:
            if note.kind in STOPS_START:
                hint = f"; {note.hint}" if note.hint else ""
                yield f"{os.path.basename(setting.argument.file)}:{setting.argument.line}: {note.message}{hint}"
    yield from (problem.message for problem in settings.problems if problem.fatal)


def _named_in_files(settings: Settings, release: Release) -> frozenset[str]:
    """The canonical names of what the files set for a release."""
    names = {canonical(name, release.family) for name, setting in settings.effective.items() if setting.effective}
    return frozenset(names)


def _new_names(moved: Sequence[Moved], target: Release) -> frozenset[str]:
    """The canonical names of what would be set on the target in place of other options."""
    written = [name for each in moved for name, _ in each.added]
    written += [each.outcome.name for each in moved if each.outcome.name]
    return frozenset(canonical(understand(name, target).plain, target.family) for name in written)


def _defaults(request: MemberRequest, names: frozenset[str], settings: Settings | None) -> ChangedDefaults:
    arguments = settings.all if settings is not None else ()
    plugins = loaded((understand(s.argument.name, request.target).plain, s.argument.value) for s in arguments)
    of_topology = _LOADED_BY.get(request.view.topology) if request.view.topology is not None else None
    if of_topology is not None:
        plugins |= {of_topology, of_topology.partition(":")[2] or of_topology}
    named = Named(names, plugins)
    return changed_defaults(request.releases, request.target, request.claims.defaults, named, request.view)


def _without_files(request: MemberRequest) -> MemberMove:
    """A server that only its running variables show: what is not the default of now counts as set."""
    release, catalog = request.view.release, load(request.view.release)
    chosen = set()
    for name, fact in request.view.running.items():
        variable = catalog.get(spelling(name, release) or name)
        is_default = variable is not None and variable.default is not NO_DEFAULT
        if variable is None or not is_default or as_text(fact.value) != as_text(variable.default):  # type: ignore[arg-type]
            chosen.add(name)
    changed = _defaults(request, frozenset(chosen), None)
    return MemberMove(
        name=request.view.member.name,
        releases=request.releases,
        inference=request.inference,
        starts=None,
        starts_rewritten=None,
        options=tuple[OptionMove, ...](),
        defaults=changed.changes,
        not_rewritten="the evidence has no option file",
        unknown_defaults=changed.unknown,
    )
