"""How many transactions commit and how large they are, by the counters each family has."""

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member, Sample
from advisor.options import read_text, resolve


def view(server: str, options: str = "", **evidence) -> MemberFacts:
    """A server of one release with these option lines and this evidence."""
    release = parse_release(server)[0]
    reading = read_text(f"[mysqld]\n{options}\n", "my.cnf")
    return MemberFacts(Member("db", options=reading, **evidence), release, resolve(reading, release), None)


def samples(**rates: float) -> tuple[Sample, Sample]:
    """Two samples ten seconds apart with these rates per second."""
    return Sample(0.0, dict.fromkeys(rates, 0)), Sample(10.0, {name: rate * 10 for name, rate in rates.items()})


def test_mysql_counts_transactions_by_the_binlog_cache():
    rows = {"Innodb_rows_inserted": 300, "Innodb_rows_updated": 100, "Innodb_rows_deleted": 0}
    busy = view("mysql-8.0.36", samples=samples(Binlog_cache_use=200, Com_commit=0, Handler_commit=400, **rows))
    assert busy.value("fact.transactions_per_second") == 200
    assert busy.value("fact.rows_per_transaction") == 2


def test_without_a_binary_log_only_observers_know_the_rate():
    told = {"throughput_per_second": Fact("throughput_per_second", 4000)}
    assert view("mysql-8.0.36", observed=told).value("fact.transactions_per_second") == 4000
    silent = view("mysql-8.0.36", samples=samples(Binlog_cache_use=0, Handler_commit=400))
    assert isinstance(silent.value("fact.transactions_per_second"), Missing)


def test_the_history_list_length_stands_in_the_innodb_status():
    text = "Purge done for trx's n:o < 1 undo n:o < 0\nHistory list length 1234567\n"
    assert view("mysql-8.0.36", innodb_status=text).value("fact.history_list_length") == 1234567
