"""`advisor lab`: real clusters on this machine, up in seconds and gone without a trace."""

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

lab = typer.Typer(
    help="Start real clusters on this machine, and stop them.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Examples:\n\n\b\n  advisor lab install mysql\n  advisor lab up group_replication --members 3 --mysql\n"
    "  advisor lab up semisync --mariadb --name wait --set sync_binlog=1\n"
    "  advisor lab up galera --rtt 20ms --name far\n  advisor lab restart wait 2 --set sync_binlog=0\n"
    "  advisor lab fault wait apply slow-disk --member 2 --for 30s\n"
    "  advisor lab shell wait\n"
    "  advisor lab down --all",
)


def _tell(line: str) -> None:
    write(f"{line}\n", sys.stderr)


@lab.command("servers")
def servers(basedirs: arguments.BaseDirs = None, form: arguments.Format = ListFormat.TEXT) -> None:
    """List the server programs found, and what each can run."""
    from advisor.cli.lab.json_output import servers_as_json
    from advisor.cli.lab.text import servers_as_text
    from advisor.lab.servers.binaries import find_servers, find_sysbench

    show = servers_as_json if form is ListFormat.JSON else servers_as_text
    write(show(find_servers(basedirs or ()), find_sysbench()))


@lab.command("install")
def install(product: Annotated[str, typer.Argument(metavar="mysql|mariadb|sysbench", help="What to fetch.")]) -> None:
    """Fetch a server into a folder of your own; nothing on the system is changed, root is not needed."""
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
    cpus: arguments.Cpus = "",
    member_cpus: arguments.MemberCpus = None,
    rtt: arguments.Rtt = "",
    member_rtt: arguments.MemberRtt = None,
    bandwidth: arguments.Bandwidth = "",
    disk: arguments.Disk = "",
    durable: arguments.Durable = False,
    relaxed: arguments.Relaxed = False,
    multi_primary: arguments.MultiPrimary = False,
    acks: arguments.Acks = None,
    wait_point: arguments.WaitPoint = "",
    workers: arguments.Workers = None,
    form: arguments.Format = ListFormat.TEXT,
) -> None:
    """Start a cluster, wait until it is truly ready, and print where it is."""
    from advisor.cli.lab.request import Words, build_request
    from advisor.cli.shared.signals import stop_on_signals
    from advisor.lab.up import bring_up

    words = Words(
        topology=topology, name=name, members=members or 0, mysql=mysql, mariadb=mariadb, server=server,
        settings=settings or [], member_settings=member_settings or [], cpus=cpus, member_cpus=member_cpus or [],
        rtt=rtt, member_rtt=member_rtt or [], bandwidth=bandwidth, disk=disk, durable=durable, relaxed=relaxed,
        options={
            "multi_primary": multi_primary, "acks": acks or 0, "wait_point": wait_point, "workers": workers or 0,
        },
    )  # fmt: skip
    stop_on_signals()
    _show(bring_up(build_request(words), _tell), form)


def _show(cluster: ClusterFile, form: ListFormat) -> None:
    """What came up."""
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
    """List the labs that are up, or were not cleaned up."""
    from advisor.cli.lab.json_output import labs_as_json
    from advisor.cli.lab.text import labs_as_text
    from advisor.lab import state
    from advisor.lab import status as standing

    show = labs_as_json if form is ListFormat.JSON else labs_as_text
    write(show([standing.standing(name) for name in state.names()]))


@lab.command("status")
def status(name: arguments.Name, form: arguments.Format = ListFormat.TEXT) -> None:
    """Ask every member how it is. Exit code 4 when the cluster is not what it claims to be."""
    from advisor.cli.lab.json_output import standing_as_json
    from advisor.cli.lab.text import applied_as_text, network_as_text, standing_as_text
    from advisor.lab.fault_injection.inject import applied
    from advisor.lab.status import standing

    found = standing(name)
    faults = applied(found.cluster) if found.cluster else []
    if form is ListFormat.JSON:
        write(standing_as_json(found, faults))
    else:
        write(standing_as_text(found) + network_as_text(found.state.folder))
        write("faults applied now:\n" + applied_as_text(faults) if faults else "")
    raise typer.Exit(ExitCode.OK if found.word == "ready" else ExitCode.SERVER_FAILED)


@lab.command("down")
def down(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="The lab's name.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Every lab there is.")] = False,
) -> None:
    """Stop a lab's servers and remove its data."""
    from advisor.errors import UsageError
    from advisor.lab import datadir_templates, state

    if bool(name) is everything:
        raise UsageError("say which lab, or --all", hint=f"there are: {', '.join(state.names()) or 'none'}")
    for one in state.names() if everything else [state.read_state(name).name]:
        state.take_down(one)
        _tell(f"{one} is gone")
    datadir_templates.remove_unfinished()


@lab.command("stop")
def stop(name: arguments.Name, member: arguments.MemberArgument = "") -> None:
    """Shut a member's server down as a server should, or all of them."""
    from advisor.lab import members
    from advisor.lab.state import read_lab

    cluster = read_lab(name)
    members.stop(cluster, [members.find_member(cluster, member).name] if member else [])


@lab.command("start")
def start(name: arguments.Name, member: arguments.MemberArgument = "") -> None:
    """Start a member's server, or all that are down, and wait until the cluster is ready."""
    from advisor.lab import members
    from advisor.lab.state import read_lab

    cluster = read_lab(name)
    members.start(cluster, [members.find_member(cluster, member).name] if member else [])


@lab.command("restart")
def restart(
    name: arguments.Name,
    member: arguments.MemberArgument = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="With this setting, in place of those set so before.", metavar="OPTION=VALUE"),
    ] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Without what was set so before.")] = False,
) -> None:
    """Stop and start a member, or all; if it does not start with --set, it is started as it was."""
    from advisor.errors import UsageError
    from advisor.lab import members
    from advisor.lab.settings import parse_setting
    from advisor.lab.state import read_lab

    if settings and unset:
        raise UsageError("say one of --set and --unset")
    cluster, asked = read_lab(name), dict(parse_setting(text) for text in settings or ())
    names = [members.find_member(cluster, member).name] if member else []
    members.restart(cluster, names, asked if settings or unset else None)


@lab.command("faults")
def faults(form: arguments.Format = ListFormat.TEXT) -> None:
    """List the faults there are, with their parameters."""
    from advisor.cli.lab.json_output import faults_as_json
    from advisor.cli.lab.text import faults_as_text
    from advisor.lab.faults import fault_names

    write((faults_as_json if form is ListFormat.JSON else faults_as_text)(fault_names()))


@lab.command("logs")
def logs(
    name: arguments.Name,
    member: arguments.Member = 1,
    lines: Annotated[int, typer.Option(help="How many of its last lines.", min=1)] = 40,
) -> None:
    """Print the end of a member's error log."""
    from advisor.lab import error_log
    from advisor.lab.state import read_state

    write(error_log.tail(read_state(name).folder / f"m{member}/error.log", lines) + "\n")


@lab.command("shell")
def shell(
    name: arguments.Name,
    words: Annotated[list[str] | None, typer.Argument(metavar="[SQL]", help="Run this and end.")] = None,
    member: arguments.Member = 1,
) -> None:
    """Open the server's own client on a member, as root."""
    import os

    from advisor.lab.shell import client_words

    command = client_words(name, member, " ".join(words or ()))
    os.execv(command[0], command)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    lab.add_typer(fault, name="fault")
    app.add_typer(lab, name="lab")
