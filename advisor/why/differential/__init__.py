"""What may it be where no cause is an answer, and what should be looked at next?

`hypotheses` says which causes it may be, `unsigned_waits` those that explain waits without a sign · `probability` how
probable each is · `asking` what an observation costs and how far it can be trusted · `information` how much of the
doubt it settles · `choice` takes the best.
"""
