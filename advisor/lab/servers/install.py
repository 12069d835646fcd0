"""How is a server installed for the lab only? Which packages, from which suite, and which series if one is asked for.

Only Debian and Ubuntu have a recipe. `mysql-server-core` is in no stable Debian, but in its unstable suite; the
`*-core` packages are used because the full ones start a system service.

Why not containers (docker, podman) or dbdeployer? Unpacked packages need no root and no daemon, start within seconds,
and allow any release of the distribution's packages. Namespaces, cgroups and disks, which containers would bring, are
used only where a lab asks for them; image registries and tarball mirrors are one more thing to trust and to reach.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from typing import Final

from advisor.errors import LabError, UsageError
from advisor.lab import folders
from advisor.lab.servers import apt
from advisor.model.record import record


@record
class Recipe:
    """Sets of packages in order of preference (the first that a suite has is used), and the suites per distribution.

    A suite "" is the machine's. `elsewhere` says what to do on other systems. `left_out` are dependencies that are not
    downloaded, because the programs do not need them or every machine has them. `version` is how the version of the
    first package begins, without an epoch ("11.8."); "" takes any.
    """

    packages: tuple[tuple[str, ...], ...]
    suites: dict[str, tuple[str, ...]]
    elsewhere: str
    left_out: tuple[str, ...] = ()
    version: str = ""


_TARBALL: Final = "unpack a {} tarball for Linux and use --server FOLDER"
RECIPES: Final = {
    "mysql": Recipe(
        packages=(
            ("mysql-server-core", "mysql-client-core"),
            ("mysql-server-core-8.4", "mysql-client-core-8.4"),
            ("mysql-server-core-8.0", "mysql-client-core-8.0"),
        ),
        suites={"debian": ("unstable",), "ubuntu": ("",)},
        elsewhere=_TARBALL.format("MySQL"),
    ),
    "mariadb": Recipe(
        packages=(
            ("mariadb-server-core", "mariadb-client-core", "galera-4"),
            ("mariadb-server-core-10.6", "mariadb-client-core-10.6", "galera-4"),
        ),
        suites={"debian": ("",), "ubuntu": ("",)},
        elsewhere=_TARBALL.format("MariaDB"),
    ),
    "sysbench": Recipe(
        packages=(("sysbench",),),
        suites={"debian": ("",), "ubuntu": ("",)},
        elsewhere="install the system's package `sysbench`, or build it from source",
    ),
}


# Where another series may be: distributions have one series in each suite.
ALL_SUITES: Final = {
    "debian": ("", "unstable", "testing", "stable", "oldstable", "oldoldstable"),
    "ubuntu": ("",),
}


def install(product: str, tell: Callable[[str], None]) -> str:
    """Download a product into a folder of the user and return that folder; an existing one is replaced.

    `product` may name a series, as "mariadb-11.8"; it gets a folder of its own beside the product's.
    """
    recipe = RECIPES.get(product) or _of_series(product)
    if recipe is None:
        hint = f"choose one of {', '.join(RECIPES)}, or a series: mariadb-11.8"
        raise UsageError(f"cannot install {product!r}", hint=hint)
    return follow(product, recipe, tell)


def _of_series(product: str) -> Recipe | None:
    """The recipe for one series of a server, from whichever suite has it; None where the text names none."""
    asked = re.fullmatch(r"(mysql|mariadb)-(\d+\.\d+)", product)
    if asked is None:
        return None
    name, series = asked[1], asked[2]
    plain, others = RECIPES[name].packages[0], RECIPES[name].packages[0][2:]
    numbered = (f"{name}-server-core-{series}", f"{name}-client-core-{series}", *others)
    return Recipe((plain, numbered), ALL_SUITES, _TARBALL.format(f"{name} {series}"), version=f"{series}.")


def follow(product: str, recipe: Recipe, tell: Callable[[str], None]) -> str:
    """Download a product by its recipe, as `install` does."""
    suites = recipe.suites.get(apt.distribution(), ()) if apt.here() else ()
    if not suites:
        raise LabError(f"{product} can be downloaded on Debian and Ubuntu only", hint=recipe.elsewhere)
    target = folders.prefixes() / product
    work = folders.prefixes() / f".{product}"
    shutil.rmtree(work, ignore_errors=True)  # of an earlier run that was killed
    try:
        (work / "root").mkdir(mode=0o700, parents=True)
        for suite in suites:
            tell(f"downloading {product} from {suite or apt.codename()}, if it is there")
            for packages in recipe.packages:
                try:
                    apt.fetch(packages, suite, work / "apt", work / "root", recipe.left_out, recipe.version)
                except apt.NoSuchPackage:
                    continue
                shutil.rmtree(target, ignore_errors=True)
                (work / "root").rename(target)
                return str(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    tried = ", ".join(suite or apt.codename() for suite in suites)
    raise LabError(f"no package source of this machine has {product} (looked in {tried})", hint=recipe.elsewhere)
