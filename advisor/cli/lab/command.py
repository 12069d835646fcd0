"""`advisor lab`: real clusters on this machine, up within seconds and removed without a trace."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.lab import options as arguments
from advisor.cli.lab.faults import fault
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.terminal import write

if TYPE_CHECKING:
    from advisor.model.lab import ClusterFile

_EXAMPLES = """Examples:

\b
  advisor lab install mysql
  advisor lab install mariadb-11.8
  advisor lab up group_replication --members 3 --mysql
  advisor lab up semisync --mariadb --name lab1 --set sync_binlog=1
  advisor lab up galera --rtt 20ms --name far
  advisor lab restart lab1 2 --set sync_binlog=0
  advisor lab fault lab1 apply slow-disk --member 2 --for 30s
  advisor lab shell lab1
  advisor lab down --all"""

lab = typer.Typer(
    help="Start real clusters on this machine, and stop them.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog=_EXAMPLES,
)


def _tell(line: str) -> None:
    write(f"{line}\n", sys.stderr)


@lab.command("servers")
def servers(basedirs: arguments.BaseDirs = None, form: arguments.Format = ListFormat.TEXT) -> None:
    """List the server programs on this machine.

    Shows which topologies each can run, and why it cannot run the others.
    """
    from advisor.cli.lab.json_output import servers_as_json
    from advisor.cli.lab.text import servers_as_text
    from advisor.lab.servers.binaries import find_servers, find_sysbench

    show = servers_as_json if form is ListFormat.JSON else servers_as_text
    write(show(find_servers(basedirs or ()), find_sysbench()))


@lab.command("install")
def install(product: arguments.Product) -> None:
    """Download a server into your home folder.

    Needs no root, and changes nothing on the system.
    """
    from advisor.lab.servers.install import install as fetch

    write(f"{fetch(product, _tell)}\n")


@lab.command("up")
def up(
    topology: arguments.Topology,
    name: arguments.NewName = "",
    members: arguments.Members = None,
    mysql: arguments.MySQL = False,
    mariadb: arguments.MariaDB = False,
    server: arguments.ServerPath = "",
    settings: arguments.Settings = None,
    member_settings: arguments.MemberSettings = None,
    cpus: arguments.Cpus = None,
    member_cpus: arguments.MemberCpus = None,
    rtt: arguments.Rtt = None,
    member_rtt: arguments.MemberRtt = None,
    bandwidth: arguments.Bandwidth = None,
    disk: arguments.Disk = None,
    durable: arguments.Durable = False,
    relaxed: arguments.Relaxed = False,
    multi_primary: arguments.MultiPrimary = False,
    acks: arguments.Acks = None,
    wait_point: arguments.WaitPoint = "",
    workers: arguments.Workers = None,
    form: arguments.Format = ListFormat.TEXT,
) -> None:
    """Start a cluster, wait until it is ready, and print its members."""
    from advisor.cli.lab.request import LabCommandLine, build_request
    from advisor.cli.shared.signals import stop_on_signals
    from advisor.lab.up import bring_up

    topology_options = {
        "multi_primary": multi_primary, "acks": acks or 0, "wait_point": wait_point, "workers": workers or 0,
    }  # fmt: skip
    line = LabCommandLine(
        topology=topology, name=name, members=members or 0, mysql=mysql, mariadb=mariadb, server=server,
        settings=settings or (), member_settings=member_settings or (), cpus=cpus, member_cpus=member_cpus or (),
        rtt_ms=rtt, member_rtt_ms=member_rtt or (), bits_per_second=bandwidth, disk_bytes=disk,
        durable=durable, relaxed=relaxed, options=topology_options,
    )  # fmt: skip
    stop_on_signals()
    _show(bring_up(build_request(line), _tell), form)


def _show(cluster: ClusterFile, form: ListFormat) -> None:
    """Print the cluster that was started."""
    from advisor.cli.lab.json_output import cluster_as_json
    from advisor.cli.lab.text import cluster_as_text, network_as_text
    from advisor.lab.state import read_state

    state = read_state(cluster.name)
    if form is ListFormat.JSON:
        write(cluster_as_json(cluster, state.ready_seconds))
    else:
        write(cluster_as_text(cluster, state.ready_seconds) + network_as_text(state.folder))


@lab.command("list")
def list_labs(form: arguments.Format = ListFormat.TEXT) -> None:
    """List the labs that are running, and those whose data was not removed."""
    from advisor.cli.lab.json_output import labs_as_json
    from advisor.cli.lab.text import labs_as_text
    from advisor.lab import state
    from advisor.lab.status import lab_status

    show = labs_as_json if form is ListFormat.JSON else labs_as_text
    write(show([lab_status(name) for name in state.names()]))


@lab.command("status")
def status(name: arguments.Name, form: arguments.Format = ListFormat.TEXT) -> None:
    """Check every member.

    Exit code 4 if the cluster is not ready.
    """
    from advisor.cli.lab.json_output import status_as_json
    from advisor.cli.lab.text import applied_as_text, network_as_text, status_as_text
    from advisor.lab.fault_injection.inject import applied
    from advisor.lab.status import lab_status

    status_now = lab_status(name)
    faults = applied(status_now.cluster) if status_now.cluster else []
    if form is ListFormat.JSON:
        write(status_as_json(status_now, faults))
    else:
        write(status_as_text(status_now) + network_as_text(status_now.state.folder))
        write("faults in effect:\n" + applied_as_text(faults) if faults else "")
    raise typer.Exit(ExitCode.OK if status_now.summary == "ready" else ExitCode.SERVER_FAILED)


@lab.command("down")
def down(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="The lab's name.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Remove all labs.")] = False,
) -> None:
    """Stop a lab's servers and delete its data."""
    from advisor.errors import UsageError
    from advisor.lab import datadir_templates, state
    from advisor.lab.down import take_down

    if bool(name) is everything:
        raise UsageError("name a lab, or use --all", hint=f"labs: {', '.join(state.names()) or 'none'}")
    for lab_name in state.names() if everything else [state.read_state(name).name]:
        take_down(lab_name)
        _tell(f"{lab_name} removed")
    datadir_templates.remove_unfinished()


@lab.command("stop")
def stop(name: arguments.Name, member: arguments.MemberArgument = "") -> None:
    """Shut down one member's server cleanly, or all servers."""
    from advisor.lab import members
    from advisor.lab.state import read_lab

    cluster = read_lab(name)
    members.stop(cluster, [members.find_member(cluster, member).name] if member else [])


@lab.command("start")
def start(name: arguments.Name, member: arguments.MemberArgument = "") -> None:
    """Start one member's server, or all that are down.

    Waits until the cluster is ready.
    """
    from advisor.lab import members
    from advisor.lab.state import read_lab

    cluster = read_lab(name)
    members.start(cluster, [members.find_member(cluster, member).name] if member else [])


@lab.command("restart")
def restart(
    name: arguments.Name,
    member: arguments.MemberArgument = "",
    settings: arguments.NewSettings = None,
    unset: arguments.Unset = False,
) -> None:
    """Restart one member, or all.

    If a server does not start with --set, its old settings are restored.
    """
    from advisor.errors import UsageError
    from advisor.lab import members
    from advisor.lab.state import read_lab

    if settings and unset:
        raise UsageError("use only one of --set and --unset")
    cluster = read_lab(name)
    names = [members.find_member(cluster, member).name] if member else []
    members.restart(cluster, names, dict(settings or ()) if settings or unset else None)


@lab.command("faults")
def faults(form: arguments.Format = ListFormat.TEXT) -> None:
    """List all faults that can be applied, with their parameters."""
    from advisor.cli.lab.json_output import faults_as_json
    from advisor.cli.lab.text import faults_as_text
    from advisor.lab.faults import fault_names

    write((faults_as_json if form is ListFormat.JSON else faults_as_text)(fault_names()))


@lab.command("logs")
def logs(
    name: arguments.Name,
    member: arguments.Member = 1,
    lines: Annotated[int, typer.Option(help="Number of lines.", min=1)] = 40,
) -> None:
    """Print the last lines of a member's error log."""
    from advisor.lab import error_log
    from advisor.lab.state import read_state

    write(error_log.tail(read_state(name).folder / f"m{member}/error.log", lines) + "\n")


@lab.command("shell")
def shell(
    name: arguments.Name,
    statement: Annotated[list[str] | None, typer.Argument(metavar="[SQL]", help="Run this statement and exit.")] = None,
    member: arguments.Member = 1,
) -> None:
    """Open the command-line client on a member, as root."""
    import os

    from advisor.lab.shell import client_command

    command = client_command(name, member, " ".join(statement or ()))
    os.execv(command[0], command)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    lab.add_typer(fault, name="fault")
    app.add_typer(lab, name="lab")
