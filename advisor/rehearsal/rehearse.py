"""How is a move rehearsed? Start both releases, load them in turn, let the new one follow the old one, and end them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Final

from advisor.bench.load import sysbench
from advisor.bench.open_cluster import OpenCluster, open_cluster
from advisor.bench.run import RunPlan, measure
from advisor.bench.statistics.paired_runs import order, ratio_interval
from advisor.catalog import canonical
from advisor.errors import LabError
from advisor.lab import down, state
from advisor.lab.up import LabRequest, bring_up
from advisor.model.lab import ServerBinary
from advisor.model.measurement import Load
from advisor.model.move import MemberMove
from advisor.model.move.rehearsal import LeftOut, Rehearsal
from advisor.model.record import record, replace
from advisor.model.server import Family, Release
from advisor.options import read_file, resolve
from advisor.rehearsal.lab_settings import lab_settings
from advisor.rehearsal.programs import program_for, stands_for
from advisor.rehearsal.replicate import replicate

_SAME_EVERYWHERE: Final = (
    "Both servers have the lab's buffer pool (128 MiB), redo log and table caches unless the option file sets them."
)
_NOT_COMPARED: Final = frozenset(
    "basedir datadir socket port pid_file tmpdir slave_load_tmpdir replica_load_tmpdir log_error hostname server_uuid"
    " server_id version version_comment version_ssl_library plugin_dir lc_messages_dir character_sets_dir timestamp"
    " report_host report_port log_bin_basename log_bin_index relay_log_basename relay_log_index general_log_file"
    " slow_query_log_file secure_file_priv innodb_version protocol_version gtid_binlog_pos gtid_binlog_state"
    " gtid_current_pos gtid_executed gtid_purged gtid_slave_pos license version_compile_os version_compile_machine"
    " version_source_revision version_malloc_library version_compile_zlib server_uid last_gtid ft_stopword_file"
    " large_page_size have_ssl have_openssl system_time_zone aria_log_dir_path wsrep_node_name wsrep_data_home_dir"
    " innodb_data_home_dir innodb_undo_directory innodb_log_group_home_dir innodb_temp_tablespaces_dir".split()
)


@record
class RehearsalPlan:
    """What is measured: the workload, its clients, seconds of each run, and pairs of runs (0: no load)."""

    workload: str = "read_write"
    threads: int = 8
    seconds: float = 10.0
    pairs: int = 3


def rehearse(
    move: MemberMove, origin: Release, target: Release, plan: RehearsalPlan, tell: Callable[[str], None]
) -> Rehearsal:
    """The move of one server, on real ones. LabError when a program or the load generator is missing."""
    programs = {"old": program_for(origin), "new": program_for(target)}
    if plan.pairs:
        sysbench.find_generator()
    settings, left_out = _settings(move, origin, target)
    stand_ins = (stands_for(programs["old"], origin), stands_for(programs["new"], target))
    told = Rehearsal(
        old=programs["old"].name,
        new=programs["new"].name,
        started=False,
        left_out=left_out,
        notes=tuple(filter(None, (*stand_ins, _SAME_EVERYWHERE))),
    )
    names = {side: f"rehearsal-{os.getpid()}-{side}" for side in programs}
    try:
        with ExitStack() as stack:
            opened: dict[str, OpenCluster] = {}
            for side, program in programs.items():
                try:
                    cluster = bring_up(_request(names[side], program, settings[side], side), tell)
                except LabError as error:
                    return replace(told, refusal=f"{program.name}: {error.message}")
                opened[side] = stack.enter_context(open_cluster(cluster))
            return _tried(told, opened, plan, tell)
    finally:
        for name in names.values():
            if name in state.names():
                down.take_down(name)


def _tried(
    told: Rehearsal, opened: Mapping[str, OpenCluster], plan: RehearsalPlan, tell: Callable[[str], None]
) -> Rehearsal:
    """What both servers showed, under load and with the new one following the old one."""
    differing = _differing(opened)
    rates = _rates(opened, plan, tell)
    tell("replicating from the old release to the new one")
    return replace(
        told,
        started=True,
        workload=plan.workload if plan.pairs else "",
        threads=plan.threads if plan.pairs else 0,
        seconds=plan.seconds,
        rates_old=tuple(rates["A"]),
        rates_new=tuple(rates["B"]),
        ratio=ratio_interval(rates["A"], rates["B"]) if plan.pairs else None,
        replication=replicate(opened["old"].nodes[0], opened["new"].nodes[0]),
        variables=differing,
    )


def _settings(
    move: MemberMove, origin: Release, target: Release
) -> tuple[dict[str, tuple[tuple[str, str], ...]], tuple[LeftOut, ...]]:
    """The settings of the old server and of the new one, from the files as they are and as rewritten."""
    if not move.files:
        return {"old": (), "new": ()}, ()
    edited = {path: after for path, _, after in move.rewritten}
    old, left_out_of_old = lab_settings(resolve(read_file(move.files[0]), origin))
    new, left_out_of_new = lab_settings(resolve(read_file(move.files[0], edited=edited), target))
    return {"old": old, "new": new}, tuple(dict.fromkeys((*left_out_of_old, *left_out_of_new)))


def _request(name: str, program: ServerBinary, settings: tuple[tuple[str, str], ...], side: str) -> LabRequest:
    log = () if any(option == "log_bin" for option, _ in settings) else (("log_bin", "binlog"),)
    number = (("server_id", "1" if side == "old" else "2"),)
    return LabRequest("standalone", name, program, 1, settings=(*log, *number, *settings))


def _rates(
    opened: Mapping[str, OpenCluster], plan: RehearsalPlan, tell: Callable[[str], None]
) -> dict[str, list[float]]:
    """Transactions per second of each run: A on the old server, B on the new one."""
    rates: dict[str, list[float]] = {"A": [], "B": []}
    load = Load(plan.workload, plan.threads, ("m1",))
    run = RunPlan(load, seconds=plan.seconds, warm_up_least=min(5.0, plan.seconds), warm_up_most=20.0)
    for number, turn in enumerate(order(plan.pairs), 1):
        done = measure(opened["old" if turn == "A" else "new"], run, lambda second: None, tell)
        rates[turn].append(done.measurement.peak_per_second)
        tell(f"run {number} of {2 * plan.pairs}, {'old' if turn == 'A' else 'new'}: {rates[turn][-1]:.0f} tx/s")
    return rates


def _differing(opened: Mapping[str, OpenCluster]) -> tuple[tuple[str, str, str], ...]:
    """The variables that both servers have and show to differ, by canonical name."""
    shown = {side: _variables(cluster) for side, cluster in opened.items()}
    return tuple(
        (name, old, shown["new"][name])
        for name, old in sorted(shown["old"].items())
        if name in shown["new"]
        and name not in _NOT_COMPARED
        and not name.startswith(("ssl_", "performance_schema_"))
        and _plain(old) != _plain(shown["new"][name])
    )


def _variables(cluster: OpenCluster) -> dict[str, str]:
    node = cluster.nodes[0]
    family = Family(node.dialect.family)
    shown = node.session.pairs("SHOW GLOBAL VARIABLES")
    return {canonical(name.lower(), family): str(value) for name, value in shown.items()}


def _plain(value: str) -> object:
    """The value without what only the families' ways of printing make different."""
    try:
        return float(value)
    except ValueError:
        return sorted(value.lower().split(","))
