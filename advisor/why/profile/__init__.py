"""Where did the wall time of each group of threads go? Process lists, read again and again, become shares of 1.

The rooms in the order of the work: `threads` (who is this thread, in which group) · `classify` (what does it wait for,
by rules/waits/) · `aggregate` (counts over all moments; followers inherit the class of their leader) ·
`innodb_monitor` and `refine` (counters take their exact share out of coarse classes) · `profiles` (all groups of one
member) · `other_sessions` (whose statements are no part of the transactions that are counted).
"""
