"""Is it really better?

Before the search: `client_count`, `preflight`, `noise`, `why_advice`. After it: `minimise` fewer changes · `blocks`
finalists and baseline in random order · `acceptance` ratios with intervals · `soak` the winner for longer.
"""
