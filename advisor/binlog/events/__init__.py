"""What do the events of a binary log say, byte by byte? Both families, from MySQL 5.6 and MariaDB 10.0 on.

`types` their codes and names · `walk` one event after the other · `checksums` are they right · `format_description`
which server wrote them · `gtid`, `tagged_gtid` what opens a transaction · `query` statements · `table_map`,
`row_images` rows and their keys · `payload` what is compressed · `packed_integer` integers of variable length.
"""
