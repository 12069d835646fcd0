"""How does a fault get into a lab, and out again?

`target` the member it strikes · `inject` applies, remembers, clears · `process` for faults that go on ·
`applier_settings` for settings that appliers read only when they start.
"""
