"""What `--fix` would make of an option file, in this process and without the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.check.fix_plan import FixPlan, parse_risks, plan_fix
from advisor.evidence import read_path
from advisor.model.evidence import Cluster
from advisor.model.rules import JudgedPaths, Judgement, Rule
from advisor.model.server import Release

BY_DEFAULT = parse_risks("R0,R1,R2")  # as `advisor check --fix` has it without --allow


@dataclass(frozen=True)
class Fixing:
    """A judged option file and the plan for it."""

    judgement: Judgement
    plan: FixPlan

    @property
    def text(self) -> str:
        """The file as the plan leaves it; "" where nothing changes."""
        return self.plan.edits[0].after.decode("utf-8", "surrogateescape") if self.plan.edits else ""


def fixing(file: Path, server: str = "", rules: Sequence[Rule] | None = None) -> Fixing:
    """Judge a file and plan its changes as `advisor check FILE --server SERVER --fix` does."""
    releases = parse_release(server) if server else ()
    chosen = load_rules() if rules is None else rules

    def judge_as(cluster: Cluster, target: Sequence[Release]) -> Judgement:
        return check(cluster, chosen, target)

    cluster = read_path(str(file))
    target = JudgedPaths((str(file),), cluster, judge_as(cluster, releases))
    return Fixing(target.judgement, plan_fix(target, releases, judge_as, BY_DEFAULT, ""))
