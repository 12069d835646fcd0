"""What does a binary log say of a load, and how far could replicas apply it in parallel?

`shape/` rates, sizes, tables, the largest transactions · `appliers/` workers simulated · `maker/` a load like it ·
`figures`, `fidelity` how much two loads resemble each other.
"""
