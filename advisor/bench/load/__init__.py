"""How is a cluster put under load?

`workloads`, `mix` what is run · `dataset` on which data · `sysbench`, `generator` by which processes · `latency` what
they saw. """
