"""What does a server make of its option files?

In reading order: `files`, `groups`, `lines`, `reader` what is written where · `names`, `values`, `enum_values`,
`text_checks` what it means to a server · `plugins`, `unknown`, `start_conflicts` what a server refuses · `settings` all
of that for one release · `infer` which releases a file is for · `blanked`, `suppressions` · `edit/` how a file is
changed.

Entry points: `read_file` and `read_default_files` read files as the servers do, `select` picks the groups a release
reads, `resolve` says what each option means there and whether the server would start, `infer` which releases a file
is for.
"""

from advisor.options.files import read_default_files, read_file, read_text
from advisor.options.groups import select, server_groups
from advisor.options.infer import infer
from advisor.options.settings import adds_up, resolve

__all__ = [
    "adds_up",
    "infer",
    "read_default_files",
    "read_file",
    "read_text",
    "resolve",
    "select",
    "server_groups",
]
