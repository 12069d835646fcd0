"""What does `advisor watch` cost, and does it survive? On a lab, under load, for as long as it takes.

`python -m benchmarks.watch.cost LAB` switches it on and off in turn. `python -m benchmarks.watch.endurance LAB` kills
it, kills a server and fills its disk for hours. Both keep what they measured, and go on with it when started again.
"""
