"""What is added to an option file later can be changed and taken away, and leaves the rest as it was."""

from __future__ import annotations

from advisor.lab.option_blocks import with_block

FILE = "[mysqld]\nport = 1\nwsrep_provider_options = a=1;b=2\n# asked for\nmax_connections = 5\n"


def test_a_block_is_added_replaced_and_taken_away():
    once = with_block(FILE, "x", {"max_connections": "7"})
    assert once == FILE + "# begin x\nmax_connections = 7\n# end x\n"
    assert with_block(once, "x", {"port": "2"}) == FILE + "# begin x\nport = 2\n# end x\n"
    assert with_block(once, "x", {}) == FILE


def test_blocks_of_two_labels_do_not_touch_each_other():
    both = with_block(with_block(FILE, "x", {"a": "1"}), "y (z)", {"b": "2"})
    assert with_block(both, "x", {}) == with_block(FILE, "y (z)", {"b": "2"})
    assert with_block(with_block(both, "x", {}), "y (z)", {}) == FILE


def test_provider_options_are_added_to_those_there():
    assert "wsrep_provider_options = a=1;b=2;c=3\n" in with_block(FILE, "x", {"wsrep_provider_options": "c=3"})
