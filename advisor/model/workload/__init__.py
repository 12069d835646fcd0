"""What a binary log says of the load.

`transaction` one of them · `log` its files · `shape` all of them together · `appliers` what workers could apply of it ·
`fidelity` how much two loads resemble each other · `made_load` a load made from another.
"""
