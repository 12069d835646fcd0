"""MariaDB's positions are compared domain by domain."""

from __future__ import annotations

import pytest

from advisor.gtid.positions import ahead, of_server, sequences


def test_every_domain_counts_by_itself():
    assert ahead(sequences("0-1-100,5-2-7"), sequences("0-9-90,5-2-9")) == 10


def test_a_domain_nothing_came_from_yet_is_wholly_missing():
    assert ahead(sequences("0-1-5"), sequences("")) == 5


def test_the_last_of_several_servers_in_a_domain_is_the_highest():
    assert sequences("0-1-100,0-2-50") == {0: 100}
    assert of_server("0-1-100,0-2-50,3-2-8", 2) == {0: 50, 3: 8}


@pytest.mark.parametrize("words", ["0-1", "a-b-c", "0-1-2-3"])
def test_what_is_no_position_is_refused(words):
    with pytest.raises(ValueError, match=r"."):
        sequences(words)
