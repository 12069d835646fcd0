"""What does a binary log say, transaction by transaction? Reads files of both families, and needs no server.

In the order of reading: `source/` the files · `events/` the bytes of each event · `changed_rows` rows by table ·
`open_transaction` what was read of one · `transactions` from GTID to COMMIT · `read` a whole set of files.

Memory does not grow with the log. Nothing of what users stored is kept: of rows only their number and, where a
simulation needs them, hashes of their keys.
"""
