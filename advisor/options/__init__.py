"""What does a server make of its option files?

`read_file` and `read_default_files` read them as the servers do, `select` picks the groups a release reads,
`resolve` says what each option means there and whether the server would start, `infer` which releases a file is for.
"""

from advisor.options.files import read_default_files, read_file, read_text
from advisor.options.groups import select, server_groups

__all__ = ["read_default_files", "read_file", "read_text", "select", "server_groups"]
