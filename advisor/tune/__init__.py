"""Finds settings with a higher sustained rate, and proves them.

`spaces` knobs of a topology as data · `encoding` knobs ↔ coordinates · `legality` what would not start · `study` the
loop · `deciding` what to try next · `surrogate` and `proposing` the search · `ledger` trials that survive ·
`validation`, `shortening`, `importance`, `drift`, `noise` the answer and how sure it is.
"""
