"""NAME=VALUE on the command line: one grammar for every option, and the error names the option."""

from __future__ import annotations

import pytest

from advisor.cli.shared.name_value import name_value_parser, parse_name_value
from advisor.errors import UsageError


def test_spaces_around_name_and_value_are_left_out_and_further_equals_signs_belong_to_the_value() -> None:
    assert parse_name_value(" a = b ", "--pin") == ("a", "b")
    assert dict(map(name_value_parser("--set"), ("a=1", "b=x=y"))) == {"a": "1", "b": "x=y"}


@pytest.mark.parametrize("text", ["", "a", "=1", " = ", "a=", "a= "])
def test_what_is_not_a_pair_is_refused_under_the_name_of_the_option(text: str) -> None:
    with pytest.raises(UsageError, match=r"--pin '.*' is not NAME=VALUE") as refusal:
        parse_name_value(text, "--pin", hint="--pin innodb_flush_neighbors=0")
    assert refusal.value.hint == "--pin innodb_flush_neighbors=0"


def test_an_empty_value_is_taken_where_a_setting_may_be_empty() -> None:
    assert name_value_parser("--set", empty_value=True)("init_connect=") == ("init_connect", "")
    with pytest.raises(UsageError, match="NAME=VALUE"):
        name_value_parser("--set", empty_value=True)("=1")
