"""Tests for `advisor.history.http_api`: monitoring that forbids, is slow, or breaks off costs one clear line."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from advisor.errors import AdvisorError, InputError, ServerError, UsageError
from advisor.history.http_api import ask, open_api
from tests.history.bad_api import answering


@pytest.fixture(scope="module")
def place() -> Iterator[str]:
    with answering() as url:
        yield url


def test_a_good_reply_is_its_data(place: str) -> None:
    assert ask(open_api(place), "/api/v1/series", {}) == []


@pytest.mark.parametrize(
    ("way", "kind", "says"),
    [
        ("forbidden", ServerError, "refuses access (HTTP 401)"),
        ("half", InputError, "the reply is cut off"),
        ("cut", InputError, "the reply is cut off"),
        ("page", InputError, "the reply is not JSON"),
        ("refuses", ServerError, "refuses the query: query [31m processing would load too many samples"),
    ],
)
def test_a_bad_reply_is_one_line_with_the_place(place: str, way: str, kind: type[AdvisorError], says: str) -> None:
    with pytest.raises(kind) as caught:
        ask(open_api(f"{place}/{way}"), "/api/v1/query", {"query": "up"})
    assert says in str(caught.value)
    assert f"{place}/{way}" in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_reply_that_drips_in_ends_at_the_limit(place: str) -> None:
    began = time.monotonic()
    with pytest.raises(ServerError, match=r"did not answer within 0\.3 s"):
        ask(open_api(f"{place}/slow", seconds=0.3), "/api/v1/query", {})
    assert time.monotonic() - began < 2


def test_a_closed_port_is_one_line() -> None:
    with pytest.raises(ServerError, match="cannot be reached"):
        ask(open_api("http://127.0.0.1:9"), "/api/v1/query", {})


def test_a_token_is_sent_and_never_shown(place: str) -> None:
    assert ask(open_api(f"{place}/token", secret="sesame"), "/api", {}) == []
    with pytest.raises(ServerError) as caught:
        ask(open_api(f"{place}/token", secret="open"), "/api", {})
    assert "open" not in str(caught.value)


def test_a_password_in_the_address_is_in_no_message() -> None:
    api = open_api("http://admin:s3cret@127.0.0.1:9/prometheus/")
    assert api.url == "http://127.0.0.1:9/prometheus"
    with pytest.raises(ServerError) as caught:
        ask(api, "/api/v1/query", {})
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize("address", ["ftp://x", "http://", "http://h:99999", "nonsense"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="not a URL"):
        open_api(address)
