"""Facts about replication: appliers, groups, Galera, semi-sync, differences between members."""
