"""The user's own commands in a shared study: each clone states its own, and all or none bring the data back."""

from __future__ import annotations

import pytest

from advisor.errors import UsageError
from advisor.tune.distributed.join import refuse_other_commands, shared_request
from advisor.tune.request.request import Request, from_data

BACK = Request("c.yaml", "load.yaml", 8, ("m1",), restore_command="sh back.sh --password=hunter2", command_seconds=60)


def test_a_command_is_never_taken_from_a_storage():
    shared = shared_request(BACK)
    assert "hunter2" not in str(shared)
    assert from_data(shared, "study").restore_command == ""


@pytest.mark.parametrize(
    ("own", "studied", "refusal"),
    [
        (Request("c.yaml", "w", 8, ("m1",)), {"commands": ["restore_command"]}, "the study runs --restore"),
        (BACK, {"commands": []}, "the study does not run --restore"),
        (BACK, {}, "the study does not run --restore"),  # begun by an earlier release
    ],
)
def test_a_clone_whose_data_is_treated_differently_is_refused(own: Request, studied: dict[str, object], refusal: str):
    with pytest.raises(UsageError, match=refusal):
        refuse_other_commands(own, studied)


def test_clones_that_all_bring_their_data_back_may_do_so_in_their_own_way():
    refuse_other_commands(BACK, {"commands": ["restore_command"]})
