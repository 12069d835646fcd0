"""Private names of Optuna are used in one file, and the installed release has them."""

from __future__ import annotations

import re
from pathlib import Path

import optuna

PRIVATE = re.compile(r"(?:study|trial|storage|backend|sampler)\._\w+|\boptuna\.[\w.]*\._\w+|\bfrom optuna[\w.]*\._")


def test_one_file_uses_private_names_of_optuna(checkout: Path):
    users = {path.name for path in (checkout / "advisor").rglob("*.py") if PRIVATE.search(path.read_text("utf-8"))}
    assert users == {"optuna_ledger.py"}


def test_the_installed_release_makes_a_trial_with_all_its_parameters_at_once():
    study = optuna.create_study(storage="sqlite://")
    asked = optuna.trial.create_trial(
        state=optuna.trial.TrialState.RUNNING,
        params={"a": 0.5},
        distributions={"a": optuna.distributions.FloatDistribution(0.0, 1.0)},
    )
    trial_id = study._storage.create_new_trial(study._study_id, template_trial=asked)
    trial = optuna.trial.Trial(study, trial_id)
    assert trial.params == {"a": 0.5}
    assert study._storage.get_trial(trial._trial_id).state is optuna.trial.TrialState.RUNNING
    study.tell(trial.number, 1.0)
    assert study.best_params == {"a": 0.5}
