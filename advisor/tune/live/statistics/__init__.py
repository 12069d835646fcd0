"""What do turns show?

`turn_plan` how long they are, how many and in which order · `autocorrelation` their noise · `equal_rate` latency at the
same rate · `verdict` the answer.
"""
