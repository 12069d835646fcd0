"""What do option files, dumps and bundles say of a cluster, and what follows from it?

`read_path` reads whatever lies at a path, `read_together` several files of one server, `read_members` several servers
of one cluster, `read_where_servers_look` what a server finds by itself, `read_tree` a bundle held in memory;
`expand` finds the targets in folders.
"""

from advisor.evidence.read import read_members, read_path, read_together, read_tree, read_where_servers_look
from advisor.evidence.targets import expand

__all__ = ["expand", "read_members", "read_path", "read_together", "read_tree", "read_where_servers_look"]
