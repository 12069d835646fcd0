"""Which way of tuning ships the most on a real cluster, in equal hours from the same bad start?

`starts` the clusters · `searching` what each way would ship · `__main__` the harness, its kept results and the table
"""
