"""A request comes back from its file, or is refused."""

from __future__ import annotations

import json

import pytest

from advisor.errors import InputError
from advisor.tune.request.request import Request, as_data, from_data


def test_a_request_comes_back_from_its_file_and_another_release_s_is_refused():
    request = Request("cluster.yaml", "update_index", 8, ("m1",), pins={"a": "1"}, excluded=("b",))
    assert from_data(json.loads(json.dumps(as_data(request))), "f") == request
    with pytest.raises(InputError):
        from_data({**as_data(request), "unheard_of": 1}, "f")
