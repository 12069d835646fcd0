"""How does a fault get into a lab, and out again?

`target` the member it hits · `inject` applies, remembers, clears · `process` for faults that continue ·
`applier_settings` for settings that appliers read only when they start.
"""
