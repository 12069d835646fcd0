"""An option that a file sets, and that the release perhaps has, is never told as not set."""

import re

import pytest

from advisor.catalog import all_releases, as_percona, as_pxc
from advisor.check import load_rules
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.model.options import REFUSED_ALONE, NoteKind
from advisor.options import read_text, resolve

OF_MYSQL = [release for release in all_releases() if release.family == "mysql"]
RELEASES = [*all_releases(), *map(as_percona, OF_MYSQL), *map(as_pxc, OF_MYSQL)]
ASKED = sorted({name for rule in load_rules() for name in re.findall(r"\bconfigured[.(](\w+)", rule.when)})
NOT_TAKEN = REFUSED_ALONE | {NoteKind.IGNORED}


def configured(name: str, release) -> tuple[bool | None, set[NoteKind]]:
    reading = read_text(f"[mysqld]\n{name} = 1\n", "my.cnf")
    settings = resolve(reading, release)
    found = MemberFacts(Member("server", options=reading), release, settings, None).fact(f"configured.{name}")
    notes = {note.kind for setting in settings.all for note in setting.notes}
    return (found.value if isinstance(found, Fact) else None), notes


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.label)
def test_what_a_file_sets_reads_as_not_set_only_where_the_server_does_not_take_it(release):
    assert len(ASKED) > 20
    for name in ASKED:
        told, notes = configured(name, release)
        assert told is not False or notes & NOT_TAKEN, name


def test_the_user_of_the_state_transfer_is_an_option_of_xtradb_cluster_5_7_alone():
    told = {release.label: configured("wsrep_sst_auth", release)[0] for release in map(as_pxc, OF_MYSQL)}
    assert {label for label, value in told.items() if value} == {label for label in told if label.startswith("pxc 5.7")}
