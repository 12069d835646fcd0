"""How many transactions are between two GTID sets or positions?"""
