"""What does a binary log say, transaction by transaction? Reads the files and the servers of both families.

In the order of reading: `source/` the files · `events/` the bytes of each event · `changed_rows` rows by table ·
`open_transaction` what was read of one · `transactions` from GTID to COMMIT · `read` a whole set of files ·
`read_server` the log of a running server.

Memory does not grow with the log. Nothing of what users stored is kept: of rows only their number and, where a
simulation needs them, hashes of their keys.
"""
