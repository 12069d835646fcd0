"""Which releases are judged: what the evidence states, what the user says, what the options allow."""

import pytest

from advisor.catalog import parse_release
from advisor.check.possible_releases import release_assumptions
from advisor.model.evidence import Cluster, Fact, Member
from advisor.options import read_text


def labels(member, target=()):
    made, possible = release_assumptions(Cluster("x", (member,)), target)
    return [assumption.label for assumption in made], possible


def with_file(lines, server=""):
    return Member("a", server=server, options=read_text(f"[mysqld]\n{lines}\n", "my.cnf"))


def test_a_running_version_beats_what_the_user_says():
    version = {"version": Fact("version", "8.0.36"), "version_comment": Fact("version_comment", "MySQL Community")}
    assert labels(Member("a", variables=version), parse_release("mysql-5.7"))[0] == ["mysql 8.0.36"]


def test_the_user_beats_inference():
    assert labels(with_file("gtid_domain_id = 1"), parse_release("mysql-8.4"))[0] == ["mysql 8.4"]


def test_a_stated_series_narrows_what_is_inferred():
    told, possible = labels(with_file("replica_parallel_workers = 4", server="mysql 8.0"))
    assert told == ["mysql 8.0.26", "mysql 8.0.27–8.0.29", "mysql 8.0.30+"]
    assert possible.inferred


def test_a_stated_series_that_refuses_an_option_is_judged_all_the_same():
    assert labels(with_file("gtid_domain_id = 1", server="mysql 8.4.3"))[0] == ["mysql 8.4.3"]
    told, _ = labels(with_file("gtid_domain_id = 1", server="mysql 8.0"))
    assert {label[:9] for label in told} == {"mysql 8.0"}


@pytest.mark.parametrize("server", ["mysql unknown", "mysql"])
def test_a_stated_family_is_kept_whatever_else_would_take_the_file(server):
    told, possible = labels(with_file("gtid_domain_id = 1", server=server))
    assert told == ["mysql of an unknown release"]
    assert "no mysql release in the catalogue fits" in possible.how


def test_members_of_unknown_release_share_one():
    members = (with_file("innodb_redo_log_capacity = 1G"), with_file("sync_binlog = 1"))
    made, _ = release_assumptions(Cluster("x", (members[0], Member("b", options=members[1].options))), ())
    assert all(len({view.release for view in assumption.views}) == 1 for assumption in made)
    assert {assumption.views[0].release.series for assumption in made} <= {"8.0", "8.4", "9.7"}


@pytest.mark.parametrize(
    ("server", "newest"),
    [("mysql latest", "mysql 9.7"), ("mysql 8 latest", "mysql 8.4"), ("mariadb 10 latest", "mariadb 10.11")],
)
def test_a_tag_that_moves_is_the_newest_release_of_the_catalogue(server, newest):
    told, possible = labels(with_file("expire_logs_days = 7", server=server))
    assert told == [newest]
    assert possible.how.startswith(f"the tag of the image moves to each new release; {newest} is")


def test_the_user_knows_better_which_image_was_pulled():
    found = with_file("expire_logs_days = 7", server="mysql latest")
    assert labels(found, parse_release("mysql-8.0.36"))[0] == ["mysql 8.0.36"]
    assert labels(found, parse_release("mariadb-10.11"))[0] == ["mysql 9.7"]


def test_a_running_version_beats_a_tag_that_moves():
    version = {"version": Fact("version", "8.0.36"), "version_comment": Fact("version_comment", "MySQL Community")}
    assert labels(Member("a", server="mysql latest", variables=version))[0] == ["mysql 8.0.36"]


def test_a_major_number_that_nobody_has_leaves_the_release_open():
    assert len(labels(with_file("port = 1", server="mysql 7 latest"))[0]) > 1
