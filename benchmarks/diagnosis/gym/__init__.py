"""Bottlenecks made by SQL and by the system, played on real clusters; what taking them away does proves the label."""
