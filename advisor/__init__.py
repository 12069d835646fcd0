"""Advisor reads a server's option files, dumps and bundles as evidence and says what limits its writes.

The story, with every noun once: a **server** (family, release, role) reads **settings** from
**option files**; the **catalog** knows what each **variable** is in that release. Settings, dumps and
**samples** of **counters** become **evidence**: a **cluster** of **members** in a **topology**.
**Facts** are derived from evidence; a **rule** is a claim about facts, judged to a **verdict**; a verdict
worth reporting is a **finding**, with the facts it rests on and **advice**: settings, their **risk**, when
they take effect. A **report** renders findings.

The packages, from the ground up: `model` what is passed around · `catalog` variables of every release · `options`
option files · `evidence` dumps and bundles · `binlog`, `workload` binary logs · `check` rules · `why` causes ·
`compare` differences · `move` other releases · `history`, `timeline` monitoring · `watch`, `ring` recording a cluster ·
`fleet` many servers · `report` how it is shown · `topologies`, `collect`, `lab`, `bench`, `rehearsal`, `tune` running
clusters · `cli` the commands. Small ones: `errors`, `units`, `masking`, `atomic_write`, `restorer`, `gtid`,
`annotations` · `conditions`, `expressions` · `data`, `yaml_shapes`, `cluster_file` YAML · `client`, `nodes`, `dialects`
servers.
docs/architecture.md follows a check, a diagnosis and a trial through them.
"""

__version__ = "0.1.0"
