"""What is compared between servers, and what comes of it?

`quantity` one thing in which they can differ · `comparability` the answer, with every difference and its reasons.
"""
