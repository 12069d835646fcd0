"""The commands `advisor workload …`.

`command` their words · `options` what they share · `read_log` the log they name · `show` the load · `appliers` what
workers could apply of it · `make` a load like it.
"""
