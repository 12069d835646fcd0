"""How far is each member, how far behind, and how fast does it go?

`read_member` one member, timed · `mysql`, `mariadb`, `group_replication`, `galera`, `source`, `semisync` by family and
topology · `rates` between two readings · `heartbeat` lag by a row that is written every few milliseconds · `monitor`
all members, again and again."""
