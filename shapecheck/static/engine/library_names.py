"""The names of installed libraries: which file defines one, and its value.

In a library, imports bind nothing until a name is used: `from .resnet import ResNet` loads no file. So a call of one
class reads the few files that the class consists of, however large the library is.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.ops import Unknown
from shapecheck.project.exports import absolute_name, exports_of
from shapecheck.static.domain.abstract_values import Field, Value
from shapecheck.static.domain.constants import outside
from shapecheck.static.domain.late_names import current
from shapecheck.static.domain.objects import Namespace
from shapecheck.static.domain.values import ExternalReference, LateName
from shapecheck.static.engine.dispatch import dispatch

if TYPE_CHECKING:
    from shapecheck.static.engine.loading import SourceModule
    from shapecheck.static.engine.session import Session

_MOST_STARS = 40
"""The number of modules that are searched for a name that a package imports with `*`."""
_MOST_STEPS = 12
"""Through how many files a name is followed."""


class Definition(NamedTuple):
    """The module that defines a name; without a name, the module itself."""

    loaded: SourceModule
    name: str


def library_value(session: Session, dotted: str, importer: SourceModule) -> Value:
    """The value of a dotted name for a file that uses it: an external name if it is not one of a library.

    A name that consists of more than a module and a name in it is not resolved, so that attributes are left.
    """
    found = definition(session, dotted, importer)
    return outside(dotted) if found is None else value_of(session, found)


def value_of(session: Session, found: Definition) -> Value:
    """The value of a definition: its module runs, if it has not yet and the value is one of its names."""
    if not found.name:
        return namespace_of(session, found.loaded)
    names = dispatch.run_module(session, found.loaded)
    return current(dict.get(names.fields, found.name, Unknown(f"no name {found.name}")))


def namespace_of(session: Session, loaded: SourceModule) -> Namespace:
    """The names of a module of a library, whose body runs when one of them that it defines is used."""
    found = session.modules.get(loaded) or session.unrun.get(loaded)
    if found is None:
        found = session.unrun[loaded] = Namespace(loaded, names=LibraryFields(session, loaded))
    return found


def definition(session: Session, dotted: str, importer: SourceModule, steps: int = _MOST_STEPS) -> Definition | None:
    """Where a dotted name of a library is defined: a module, or a name in one; None if that is unknown."""
    module, _, name = dotted.rpartition(".")
    home = _load(session, module, importer) if module else None
    if home is None and module and steps:
        package = definition(session, module, importer, steps - 1)
        home = package.loaded if package is not None and not package.name else None
    if home is None or not steps:
        return _module(session, dotted, importer)
    return exported(session, home, name, steps)


def _module(session: Session, dotted: str, importer: SourceModule) -> Definition | None:
    loaded = _load(session, dotted, importer)
    return None if loaded is None else Definition(loaded, "")


def exported(session: Session, home: SourceModule, name: str, steps: int = _MOST_STEPS) -> Definition | None:
    """Where a name of a module of a library is defined."""
    known = session.library_names
    if (home, name) not in known:
        known[home, name] = None  # while it is searched
        known[home, name] = _exported(session, home, name, steps) if steps else None
    return known[home, name]


def _exported(session: Session, home: SourceModule, name: str, steps: int) -> Definition | None:
    exports = exports_of(home.tree)
    if name in exports.defined:
        return Definition(home, name)
    if name in exports.imported:
        level, module, original = exports.imported[name]
        dotted = absolute_name(package_of(home), level, module)
        dotted = f"{dotted}.{original}" if original and dotted else dotted or original
        is_submodule = dotted == f"{home.name}.{name}"
        return _module(session, dotted, home) if is_submodule else definition(session, dotted, home, steps - 1)
    stars = [absolute_name(package_of(home), *one) for one in exports.stars]
    own = f"{home.name}.{name}"
    if own in stars:  # `from .alexnet import *` replaces the module by the function of this name
        stars = [one for one in stars if one != own]
        found = _from_star(session, home, own, name, steps)
        if found is not None:
            return found
    inner = _module(session, own, home) if home.is_package else None
    if inner is not None:
        return inner
    each = (_from_star(session, home, one, name, steps) for one in _by_likelihood(stars, name))
    return next((found for found in each if found is not None), None)


def _from_star(session: Session, home: SourceModule, dotted: str, name: str, steps: int) -> Definition | None:
    """Where a name is defined that a module imports from this one with `*`."""
    path = session.project.library_file(dotted, home)
    loaded = session.project.load(Path(path)) if path is not None and _may_export(path, name) else None
    return None if loaded is None else exported(session, loaded, name, steps - 1)


def package_of(loaded: SourceModule) -> str:
    """The package from which relative imports of a module start."""
    return loaded.name if loaded.is_package else loaded.name.rpartition(".")[0]


def _load(session: Session, dotted: str, importer: SourceModule) -> SourceModule | None:
    path = session.project.library_file(dotted, importer)
    return None if path is None else session.project.load(Path(path))


def _by_likelihood(modules: list[str], name: str) -> Iterator[str]:
    """The modules, first those whose names are part of the name: `models.bert` for `BertModel`; not all of many."""
    plain = name.lower().replace("_", "")
    parts = {one: one.rpartition(".")[2].replace("_", "") for one in modules}
    likely = sorted((one for one in modules if parts[one] in plain), key=lambda one: -len(parts[one]))
    rest = [one for one in reversed(modules) if one not in likely]
    yield from [*likely, *rest][:_MOST_STARS]


def _may_export(path: str, name: str) -> bool:
    """Whether `from module import *` may bind a name: it is defined there, listed in `__all__`, or imported."""
    content = Path(path).read_bytes()
    if name.encode() not in content and b"import *" not in content:
        return False
    listed = b"__all__" in content and b"import *" not in content
    written = rf"^(?:class|def|async def) {re.escape(name)}\b|^{re.escape(name)}\b|[\"']{re.escape(name)}[\"']"
    return not listed or re.search(written.encode(), content, re.MULTILINE) is not None


class LibraryFields(dict[Field, Value]):
    """The names of a module of a library: what its body binds, and what it imports with `*`, as it is used."""

    __slots__ = ("_loaded", "_missing", "_session")

    def __init__(self, session: Session, loaded: SourceModule) -> None:
        super().__init__()
        self._session = session
        self._loaded = loaded
        self._missing: set[Field] = set()

    def __contains__(self, name: object) -> bool:
        return dict.__contains__(self, name) or (isinstance(name, str) and self._is_imported(name))

    def get(self, name: Field, default: Value = None) -> Value:  # type: ignore[override]
        """The value of a name, which may be a module of the package."""
        if name in self:
            return self[name]
        if not isinstance(name, str) or name.startswith("__"):
            return default
        found = exported(self._session, self._loaded, name)
        is_running = self._loaded in self._session.modules
        if found is None or (is_running and found == Definition(self._loaded, name)):
            return default
        return value_of(self._session, found)

    def _is_imported(self, name: str) -> bool:
        """Whether a name is imported with `*`; if so, it is bound."""
        stars = exports_of(self._loaded.tree).stars
        if not stars or name in self._missing or name in exports_of(self._loaded.tree).defined or _is_builtin(name):
            return False
        self._missing.add(name)  # also while it is searched
        found = exported(self._session, self._loaded, name)
        if found is None:
            return False
        self[name] = value_of(self._session, found)
        return True


def _is_builtin(name: str) -> bool:
    return hasattr(builtins, name)


def imports_of(session: Session, loaded: SourceModule) -> Namespace:
    """The names that a module of a library imports, by their dotted names; each is resolved when it is used."""
    return Namespace(loaded, names=_Imported(session, loaded))


def imported_name(session: Session, imports: Namespace, dotted: str) -> Value:
    """A name as an import binds it: late if it is one of a library."""
    is_late = session.project.library_file(dotted.partition(".")[0], imports.loaded) is not None
    return LateName(imports, dotted) if is_late else outside(dotted)


class _Imported(dict[Field, Value]):
    __slots__ = ("_loaded", "_session")

    def __init__(self, session: Session, loaded: SourceModule) -> None:
        super().__init__()
        self._session = session
        self._loaded = loaded

    def get(self, name: Field, default: Value = None) -> Value:  # type: ignore[override]
        """The value of a dotted name."""
        if name not in self and isinstance(name, str):
            self[name] = ExternalReference(name)  # while it is searched
            self[name] = library_value(self._session, name, self._loaded)
        return dict.get(self, name, default)
