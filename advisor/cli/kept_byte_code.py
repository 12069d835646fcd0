"""How does a plain check load a hundred modules in one go? Their byte code is kept in one file beside the package.

Python looks for each module in several places, and reads and checks two files for it; that takes a tenth of a plain
check. The kept file lies in `__pycache__`, where Python keeps the same byte code one by one, so who may write there may
change the program anyway. A module counts only while its source has the size and time that it had; any other is
imported as usual. Nothing is kept where Python may not write byte code (PYTHONDONTWRITEBYTECODE, a read-only folder).

Only what plain checks load is kept, as each of them reads the whole file: 1 MB, and 7 MB cost 9 ms more.
"""

from __future__ import annotations

import marshal
import os
import sys

from advisor.annotations import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_PACKAGE: Final = os.path.dirname(os.path.dirname(__file__))
_FILE: Final = os.path.join(_PACKAGE, "__pycache__", f"plain_check.{sys.implementation.cache_tag}.kept")
_NAME: Final = "advisor"
_SPEC: Final = type(sys.__spec__)
Kept = tuple[bool, str, int, int, bytes]  # is it a package, its source with time and size, the byte code


class KeptModules:
    """A finder and loader of what is kept, in the first place of `sys.meta_path`."""

    def __init__(self, modules: dict[str, Kept]) -> None:
        self.modules = modules
        self.loaded_before = frozenset(sys.modules)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The module where its source is as it was; None for any other, which is then looked for as usual."""
        kept = self.modules.get(name)
        if kept is None or not _is_as_it_was(kept):
            return None
        spec: ModuleSpec = _SPEC(name, self, origin=kept[1], is_package=kept[0])  # type: ignore[arg-type]
        spec.has_location = True
        spec.cached = _FILE  # else Python works out for each module where its own byte code would lie
        if kept[0]:
            spec.submodule_search_locations = [os.path.dirname(kept[1])]
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """None: a module as Python makes it."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the byte code."""
        exec(marshal.loads(self.modules[module.__name__][4]), module.__dict__)


def use_kept_modules() -> KeptModules:
    """Load further modules from the kept file; none where there is none, or one that was copied from another folder."""
    try:
        with open(_FILE, "rb") as stream:
            package, modules = marshal.loads(stream.read())
    except (OSError, EOFError, ValueError, TypeError):
        package, modules = "", {}
    finder = KeptModules(modules if package == _PACKAGE else {})
    sys.meta_path.insert(0, finder)
    return finder


def keep_modules(finder: KeptModules) -> None:
    """Keep the modules that were loaded since `use_kept_modules`, with those kept earlier, unless nothing is new."""
    loaded = sys.modules.keys() - finder.loaded_before
    new = [name for name in loaded if name.startswith(f"{_NAME}.") and not _is_from(finder, sys.modules[name])]
    if sys.dont_write_bytecode or not new:
        return
    made = {name: kept for name in new if (kept := _made_of(sys.modules[name])) is not None}
    if not made:
        return
    held = {name: kept for name, kept in finder.modules.items() if _is_as_it_was(kept)}
    part = f"{_FILE}.{os.getpid()}"
    try:
        with open(part, "wb") as stream:
            stream.write(marshal.dumps((_PACKAGE, {**held, **made})))
        os.replace(part, _FILE)
    except OSError:
        return


def _is_from(finder: KeptModules, module: Any) -> bool:
    return module.__spec__ is not None and module.__spec__.loader is finder


def _made_of(module: Any) -> Kept | None:
    source = getattr(module, "__file__", None)
    if not source or not source.startswith(_PACKAGE) or not source.endswith(".py"):
        return None
    with open(source, "rb") as stream:
        status = os.fstat(stream.fileno())
        code = compile(stream.read(), source, "exec", dont_inherit=True)
    return hasattr(module, "__path__"), source, status.st_mtime_ns, status.st_size, marshal.dumps(code)


def _is_as_it_was(kept: Kept) -> bool:
    try:
        status = os.stat(kept[1])
    except OSError:
        return False
    return status.st_mtime_ns == kept[2] and status.st_size == kept[3]
