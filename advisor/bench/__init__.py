"""How fast is a cluster, and at which rate does every member keep up?"""
