"""How does a product get onto this machine, for the lab alone? Which packages, from which suite.

Only Debian and Ubuntu have a recipe. `mysql-server-core` is in no stable Debian, but in its unstable suite; the
`*-core` packages are taken because the full ones begin a system service.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Final

from advisor.errors import LabError, UsageError
from advisor.lab import folders
from advisor.lab.servers import apt
from advisor.model.record import record


@record
class Recipe:
    """Packages in order of preference (the first set a suite has is taken), and the suites to look in per distribution.

    A suite "" is the machine's own. `elsewhere` says what to do on other systems. `left_out` are packages that others
    need by name and what is run does not, or that every machine has: they are not fetched.
    """

    packages: tuple[tuple[str, ...], ...]
    suites: dict[str, tuple[str, ...]]
    elsewhere: str
    left_out: tuple[str, ...] = ()


_TARBALL: Final = "unpack a {} tarball for Linux and name it: --server FOLDER"
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
        elsewhere="install the package `sysbench` of the system, or build it from source",
    ),
}


def install(product: str, tell: Callable[[str], None]) -> str:
    """Fetch a product into a prefix of the user's own and return its folder; one that is there is replaced."""
    recipe = RECIPES.get(product)
    if recipe is None:
        raise UsageError(f"nothing called {product!r} to install", hint=f"there are {', '.join(RECIPES)}")
    return follow(product, recipe, tell)


def follow(product: str, recipe: Recipe, tell: Callable[[str], None]) -> str:
    """Fetch a product by its recipe, as `install` does."""
    suites = recipe.suites.get(apt.distribution(), ()) if apt.here() else ()
    if not suites:
        raise LabError(f"{product} can be fetched on Debian and Ubuntu only", hint=recipe.elsewhere)
    target = folders.prefixes() / product
    work = folders.prefixes() / f".{product}"
    shutil.rmtree(work, ignore_errors=True)  # of an earlier run that was killed
    try:
        (work / "root").mkdir(mode=0o700, parents=True)
        for suite in suites:
            for packages in recipe.packages:
                tell(f"fetching {', '.join(packages)} from {suite or apt.codename()}")
                try:
                    apt.fetch(packages, suite, work / "apt", work / "root", recipe.left_out)
                except apt.NoSuchPackage:
                    continue
                shutil.rmtree(target, ignore_errors=True)
                (work / "root").rename(target)
                return str(target)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    raise LabError(f"no suite at hand has {product}", hint=recipe.elsewhere)
