"""The command `advisor mcp`: assistants use other commands over the Model Context Protocol.

In reading order: `command` its options · `server` speaks the protocol · `tools` which questions there are ·
`arguments` what each takes · `readable` which evidence they may read.
"""
