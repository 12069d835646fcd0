"""What do option files, dumps and bundles say of a cluster, and what follows from it?

In the order of reading: `targets` finds what to read, `folder_contents` what belongs together · `read` one path ·
`server_files` what belongs to one server, and wins over what · `source/` files and archives · `formats/` a reader for
each kind of text · `member/` values become a member · `host_grammar` what `--host` says, `computed_parameters` the
formulas of clouds for it · `topology`, `topology_hints` who is what · `member_facts` a name becomes a value with its
source · `rewriting/` settings changed where they are · `facts/` derived facts · `fact_inputs` which variables those
read · `item_view`, `option_items` for rules about single options.

Entry points: `read_path` reads one path, `read_together` several files of one server, `read_members` several servers of
one cluster, `read_where_servers_look` what a server finds by itself, `read_tree` a bundle and `read_texts` files of one
server held in memory; `expand` finds the targets in folders.
"""

from advisor.evidence.read import read_members, read_path, read_texts, read_together, read_tree, read_where_servers_look
from advisor.evidence.targets import expand

__all__ = ["expand", "read_members", "read_path", "read_texts", "read_together", "read_tree", "read_where_servers_look"]
