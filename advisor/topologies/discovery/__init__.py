"""Which members belong to a cluster, and how is a connection to each opened?

`open_members` a connection each · `walk` from one member to all others · `replication_peers` whom a source or a
replica knows.
"""
