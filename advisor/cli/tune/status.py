"""How is the last study of a cluster doing, and are the cluster's settings restored?"""

from __future__ import annotations

from advisor.cli.tune.report_files import as_text, last_report
from advisor.model.lab import ClusterFile
from advisor.tune.request.request import from_data
from advisor.tune.state import study_folder
from advisor.tune.state.journal import JournalState, read_journal
from advisor.tune.state.lock import lock_holder


def status_as_text(cluster: ClusterFile) -> str:
    """Who tunes it, whether it is restored, who else works on the study, and the report if there is one."""
    folder = study_folder.folder_of(cluster)
    holder, journal = lock_holder(folder), read_journal(study_folder.journal_path(folder))
    study = study_folder.last_study(folder)
    request = from_data(study_folder.request_of(study), str(study))
    lines = [f"{cluster.name}: {'being tuned by ' + holder if holder else 'not being tuned'}"]
    lines += _settings(journal, running=bool(holder))
    if request.storage:
        from advisor.tune.distributed.status import participants_as_lines

        lines += participants_as_lines(request)
    if not (study / "report.json").exists():
        return "\n".join([*lines, f"study {study.name} has no recommendation yet"]) + "\n"
    return "\n".join(lines) + "\n" + as_text(last_report(cluster))


def _settings(journal: JournalState, running: bool) -> list[str]:
    """Whether the settings are those from before the study."""
    if journal.applied:
        return ["recommendation applied; `advisor tune rollback` undoes it"]
    if journal.open and running:
        activity = f"{journal.last.get('kind', '')} {journal.last.get('state', journal.last.get('event', ''))}"
        return [f"settings changed for: {activity.strip()}"]
    if journal.open:
        return ["NOT RESTORED: run `advisor tune resume` or `advisor tune rollback`"]
    if journal.differences:
        differences = [f"  {difference}" for difference in journal.differences]
        return ["restored, except for these settings; `advisor tune rollback` tries again", *differences]
    return ["settings are as they were before tuning"]
