"""What could so many workers apply?

`foretell` every scheme with every number of workers · `costs` how long a transaction takes · `calibrate` the same for
the replica that was measured · `mysql_rules`, `mariadb_rules` what may be applied at the same time · `replica` the
simulation.
"""
