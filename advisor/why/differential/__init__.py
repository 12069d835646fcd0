"""If no cause is an answer, which causes are possible, and which observation should be made next?

`hypotheses` lists the possible causes, `unsigned_waits` those that explain waits without a sign · `probability` how
probable each is · `asking` what an observation costs and how far it can be trusted · `information` how much of the
doubt it settles · `choice` takes the best.
"""
