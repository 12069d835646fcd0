"""What is read back is what was written, from the first entry on and from any segment on."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.ring.codec import Decoder, Encoder
from advisor.ring.reading import RingReading
from advisor.ring.seconds import MemberSecond, Setup
from advisor.ring.writer import RingBounds, RingWriter

AT = 1_795_000_000.0


def second(number: int, **fields: object) -> MemberSecond:
    counters = {"Uptime": str(100 + number), "Com_commit": str(number * 7), "Threads_connected": "4"}
    rows = [{"user": "shop", "command": "Query", "count": 3}]
    given = {"samples": ((AT + number, counters),), "tables": ((AT + number, {"processlist": rows}),), **fields}
    return MemberSecond("m1", AT + number, **given)  # type: ignore[arg-type]


def test_counters_tables_and_settings_come_back_as_they_were() -> None:
    encoder, decoder = Encoder(), Decoder()
    setup = Setup({"version": "8.4.3", "gtid_executed": "a:1-5"}, {"plugins": [{"Name": "x"}]}, role="source")
    later = Setup({"version": "8.4.3", "gtid_executed": "a:1-9"}, {"plugins": [{"Name": "x"}]}, role="source")
    written = [
        second(0, setup=setup, clock=(0.5, 0.001), host={"cpus": 4}),
        second(1, figures={"lag_seconds": 1.5}),
        second(2, tables=(), samples=((AT + 2, {"Uptime": "1"}),), setup=later, failure="gone"),
        second(3, lacks=(("a", "b", "c"),), innodb_status="text"),
    ]
    entries = [encoder.entry([each]) for each in written]
    assert [decoder.seconds(entry)[0] for entry in entries] == written
    assert len(entries[1]) < len(entries[0]) / 2
    assert b"plugins" not in entries[2]
    encoder.forget()
    assert Decoder().seconds(encoder.entry([written[3]])) == [written[3]]


def test_a_time_is_read_from_several_segments_and_a_clock_set_back_is_told(tmp_path: Path) -> None:
    moments = [AT + 10 * number for number in range(30)] + [AT + 105 + 10 * number for number in range(5)]
    now = [AT]
    writer = RingWriter(tmp_path, RingBounds(24 * 60.0, 1 << 24), print, lambda: now[0])
    encoder = Encoder()
    for at in moments:
        now[0] = at
        if writer.begins:
            encoder.forget()
        assert writer.append(encoder.entry([MemberSecond("m1", at, ((at, {"Uptime": str(int(at - AT))}),))]))
    writer.close()
    reading = RingReading(tmp_path, 0, 0)
    kept = list(reading)
    assert [each.at_seconds for each in kept] == [at for at in moments[:30] if at < AT + 105] + moments[30:]
    assert "the clock was set back" in " ".join(reading.problems)
    assert all(each.samples[0][1]["Uptime"] == str(int(each.at_seconds - AT)) for each in kept)
    assert [each.at_seconds for each in RingReading(tmp_path, AT + 20, AT + 40)] == [AT + 20, AT + 30, AT + 40]
    with pytest.raises(InputError) as refused:
        list(RingReading(tmp_path, AT + 86400, 0))
    assert "it holds" in refused.value.hint
