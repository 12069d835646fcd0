"""Is it really better?

Before the search: `client_count`, `preflight`, `noise`, `why_advice`. After it: `written_winner` the best with values a
person would write · `minimise` fewer changes, from `removal_runs` with and without some of them, `removals` what these
say, `worth` what each change is worth · `finalists` what goes into the blocks · `blocks` finalists and baseline in
random order · `acceptance` ratios with intervals · `soak` the winner for longer.
"""
