"""Tables of a page: titles in every cell for phones, names that break only after an underscore."""

from __future__ import annotations

from advisor.report.html.markup import breakable
from advisor.report.html.tables import Column, Kind, table


def test_every_cell_knows_its_column_and_the_first_one_names_its_row() -> None:
    columns = (Column("setting", Kind.NAME), Column("value", Kind.NUMBER), Column("why", Kind.PROSE))
    text = table("Settings", columns, [("sync_binlog", "1", "<b>")], stacked=True)
    assert '<th scope="row" class="name" role="rowheader" data-title="setting">sync_<wbr>binlog</th>' in text
    assert '<td class="n" role="cell" data-title="value">1</td>' in text
    assert "&lt;b&gt;" in text
    assert 'class="stacked"' in text


def test_a_name_breaks_only_where_its_parts_end() -> None:
    assert breakable("innodb_io_capacity=2") == "innodb_<wbr>io_<wbr>capacity=2"
    assert breakable("rate.Com_commit = 92.9 %") == "rate.<wbr>Com_<wbr>commit = 92.9 %"
    assert breakable("<x>_") == "&lt;x&gt;_"
    assert breakable("") == ""
