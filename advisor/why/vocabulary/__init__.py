"""What do the words of a report point to? Reading order: report, terms, model, posterior, reweigh.

People supply process lists, counters, option lines and sentences that match no sign of any cause. Which words go
with which cause is learnt from labelled reports (`python -m benchmarks.diagnosis.vocabulary`).
"""
