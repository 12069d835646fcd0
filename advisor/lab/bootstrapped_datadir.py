"""Where does a data directory come from that already has a position in a cluster? Made once per server program.

A Galera node without a position needs a full state transfer; a node with one receives only what came after it. So one
node bootstraps a cluster alone and shuts down cleanly, and its data directory is copied to all.
"""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from typing import Final

from advisor.lab import launch_members, processes
from advisor.lab.datadir_templates import Template
from advisor.lab.launch_members import Lab
from advisor.model.lab import ClusterSpec, MemberPlan
from advisor.model.record import replace
from advisor.topologies import TopologyModule

_END_SECONDS: Final = 30.0


def bootstrapped_template(lab: Lab, module: TopologyModule, spec: ClusterSpec) -> Template:
    """The template; if there is none yet, it is made by a first member that runs briefly in the lab's folder."""
    place = lab.template.data.with_name(f"data-{module.topology(lab.binary.family)}")
    if not place.is_dir():
        plan = module.plan(replace(spec, endpoints=(replace(spec.endpoints[0], name="seed", host="127.0.0.1"),)))[0]
        _begin(lab, plan, module)
        data = lab.folder(plan) / "data"
        for name in module.FILES_NOT_COPIED:
            (data / name).unlink(missing_ok=True)
        try:
            data.rename(place)
        except OSError:  # another process was faster
            if not place.is_dir():
                raise
        shutil.rmtree(lab.folder(plan))
    return replace(lab.template, data=place)


def _begin(lab: Lab, plan: MemberPlan, module: TopologyModule) -> None:
    launch_members.prepare(lab, [(plan, ())])
    with ExitStack() as stack:
        running = launch_members.start(lab, [plan], module.problems, stack)
        launch_members.wait_until_ready(module.problems, running)
    processes.ask_to_end([running[0].pid], _END_SECONDS)
