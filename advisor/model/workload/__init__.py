"""What a binary log says of the load.

`transaction` one of them · `log` its files · `shape` all of them together · `appliers` what workers could apply of it.
"""
