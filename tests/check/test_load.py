"""Rule files: what is refused, with which place; and that the cache never changes what is loaded."""

import marshal
import os

import pytest

from advisor.check.rule_loader import load_rules, read_rule
from advisor.errors import RuleError

GOOD = """\
id: small
title: Something is small
severity: warning
applies_to: {mysql: ">=8.0", roles: [replica]}
when: sync_binlog > 3 and fact.applier_workers <= 1
finding: >
  {sync_binlog} is small.
advice:
  - for: {mysql: "*"}
    set: {sync_binlog: "= 2 * sync_binlog"}
    risk: [R1, C]
    takes_effect: at_once
  - do: think
why: Because.
see: [https://example.org]
---
- case: nothing
  expect: clear
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "rules" / "area").mkdir(parents=True)
    return tmp_path / "rules"


def write(place, text, name="small"):
    path = place / "area" / f"{name}.yaml"
    path.write_text(text)
    return path


def shown(rules, place):
    return [rule for rule in rules if rule.file.startswith(str(place))]


def test_a_rule_file_becomes_a_rule(place):
    rule = read_rule("area", str(write(place, GOOD)))
    assert (rule.id, rule.area, rule.severity) == ("small", "area", "warning")
    assert rule.applies == {"mysql": ">=8.0", "roles": ("replica",)}
    assert rule.advice[0].set == {"sync_binlog": "= 2 * sync_binlog"}
    assert rule.advice[0].risk == ("R1", "C")
    assert rule.finding == "{sync_binlog} is small."


@pytest.mark.parametrize(
    ("old", "new", "word", "line"),
    [
        ("id: small", "id: other", "differs from the name of the file", 1),
        ("severity: warning", "severity: awful", "awful", 3),
        ("why: Because.\n", "", "why", 1),
        ("title:", "tilte:", "tilte", 2),
        ("when: sync_binlog > 3", "when: sync_binlog >> 3", "not part of the condition language", 1),
        ("when: sync_binlog > 3 and", "when: sync_binlog > 3 and and", "not a condition", 1),
        ("risk: [R1, C]", "risk: [R9]", "R9", 11),
        ("at_once", "soon", "soon", 12),
        ('mysql: ">=8.0"', 'mysql: "8.0"', "not a version constraint", 1),
        ("roles: [replica]", "roles: [king]", "king", 1),
        ("roles: [replica]", "rolls: [replica]", "rolls", 4),
        ("  - do: think\n", "  - costs: nothing\n", "at least one of `set`, `remove` and `do`", 1),
        ("see: [https://example.org]", "see: [https://example.org]\nsee: [x]", "twice", 16),
        ('set: {sync_binlog: "= 2 * sync_binlog"}', 'set: {sync_binlog: "= 2 ** x"}', "not part of", 1),
    ],
)
def test_what_is_wrong_is_said_with_its_place(place, old, new, word, line):
    assert old in GOOD
    path = write(place, GOOD.replace(old, new, 1))
    with pytest.raises(RuleError) as caught:
        read_rule("area", str(path))
    assert word in caught.value.message
    assert caught.value.file == str(path)
    assert caught.value.line >= 1
    if line > 1:
        assert caught.value.line == line
    assert caught.value.exit_code == 3


def test_a_retired_rule_names_its_successor(place):
    with pytest.raises(RuleError, match="successor"):
        read_rule("area", str(write(place, GOOD.replace("severity:", "status: retired\nseverity:"))))


def test_the_cache_gives_what_the_files_give(place):
    write(place, GOOD)
    first = shown(load_rules([place]), place)
    assert os.listdir(place.parent / "cache" / "advisor")
    assert shown(load_rules([place]), place) == first
    assert shown(load_rules([place]), place)[0].tree == first[0].tree


def test_a_changed_file_is_read_again(place):
    path = write(place, GOOD)
    load_rules([place])
    write(place, GOOD.replace("severity: warning", "severity: info"))
    os.utime(path, ns=(1, 1))
    assert shown(load_rules([place]), place)[0].severity == "info"


@pytest.mark.parametrize(
    "junk",
    [
        lambda signature: b"",
        lambda signature: b"{",
        lambda signature: b'{"signature": "x", "rules": []}',
        lambda signature: marshal.dumps([]),
        lambda signature: marshal.dumps((signature, [{}])),
        lambda signature: marshal.dumps((signature, [{"severity": "grave"}])),
        lambda signature: marshal.dumps((signature, []))[:-3],
    ],
)
def test_a_spoilt_cache_is_not_used(place, junk):
    write(place, GOOD)
    first = load_rules([place])
    for file in (place.parent / "cache" / "advisor").iterdir():
        signature, _ = marshal.loads(file.read_bytes())
        file.write_bytes(junk(signature))
    assert load_rules([place]) == first


def test_two_rules_of_one_name_are_refused(place):
    write(place, GOOD)
    (place / "other").mkdir()
    (place / "other" / "small.yaml").write_text(GOOD)
    with pytest.raises(RuleError, match="also exists"):
        load_rules([place])
