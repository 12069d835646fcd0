"""What could so many workers apply?

`foretell` every scheme with every number of workers · `costs` how long a transaction takes · `mysql_rules`,
`mariadb_rules` what may be applied at the same time · `replica` the simulation.
"""
