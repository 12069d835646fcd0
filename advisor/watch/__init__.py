"""How is a cluster watched, second by second, for days?

`members` reads them, a round after the other (`rounds`) · `positions` how far each is · `readings` what the last ten
seconds say · `changes` what is no longer as it was · `sustained` the rate that all keep up · `evidence` a diagnosis of
the last round · `conditions` when something happened · `incident` the bundle then · `recorder` the ring · `kept` a
ring as evidence · `metrics` for Prometheus · `wall_clock` when the watch began · `session` all of it, once a second.
"""
