"""What do the words of a report point to? Reading order: report, terms, model, posterior, reweigh.

People hand over process lists, counters, option lines and sentences that no sign of a cause expects. Which words go
with which cause is learnt from labelled reports (`python -m benchmarks.diagnosis.vocabulary`).
"""
