"""Items of registries of libraries, looked up by name in the sources of the library: no file is run to find one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.library_registry import LibraryRegistry
from shapecheck.static.domain.objects import ITEMS, DictValue, Namespace
from shapecheck.static.engine.library_names import Definition, exported, value_of

if TYPE_CHECKING:
    from shapecheck.static.engine.loading import SourceModule
    from shapecheck.static.engine.session import Session

_NAME = lazy_pattern(r"[^\W\d][\w.-]*")


def registries_of(names: Namespace) -> Iterator[tuple[str, LibraryRegistry]]:
    """The empty dicts of a module that its registering decorators fill."""
    filled = _filled_by_decorators(names.loaded.tree)
    for name in filled:
        value = dict.get(names.fields, name)
        if isinstance(value, DictValue) and not value.lost and not value.fields[ITEMS]:
            yield name, LibraryRegistry(names.loaded)


@cached_on_node
def _filled_by_decorators(tree: ast.Module) -> frozenset[str]:
    """The names of dicts that functions store a function or class in which they also return: `REGISTRY[name] = fn`."""
    decorators = (one for one in tree.body if isinstance(one, ast.FunctionDef) and "register" in one.name.lower())
    found: set[str] = set()
    for one in decorators:
        nodes = list(walk(one))
        returned = {
            node.value.id for node in nodes if isinstance(node, ast.Return) and isinstance(node.value, ast.Name)
        }
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in returned:
                targets = (target.value for target in node.targets if isinstance(target, ast.Subscript))
                found.update(target.id for target in targets if isinstance(target, ast.Name))
    return frozenset(found)


def registered(session: Session, registry: LibraryRegistry, name: Value) -> Value:
    """The function or class that is registered with a name; Unknown if it is not certain which one that is."""
    known = session.registered.setdefault(registry.loaded, {})
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return Unknown("an item of a registry")
    if name not in known:
        known[name] = Unknown("an item of a registry")  # while it is searched
        found = list(_candidates(session, registry, name))
        if len(found) == 1:
            known[name] = value_of(session, found[0])
    return known[name]


def _candidates(session: Session, registry: LibraryRegistry, name: str) -> Iterator[Definition]:
    """The definitions that decorators of the registry's module register with this name."""
    home = registry.loaded
    written = re.compile(rf"^(?:def|class) {re.escape(name)}\b|[\"']{re.escape(name)}[\"']\s*\)".encode(), re.MULTILINE)
    for path in _files(home):
        content = path.read_bytes()
        if b"register" not in content or written.search(content) is None:
            continue
        dotted = _dotted(home, path)
        file = session.project.library_file(dotted, home)
        loaded = None if file is None else session.project.load(Path(file))
        defined = None if loaded is None else _registered_in(loaded.tree).get(name)
        if loaded is not None and defined is not None:
            definition, decorator = defined
            source = exported(session, loaded, decorator)
            if source is not None and source.loaded is home:
                yield Definition(loaded, definition)


def _files(home: SourceModule) -> Iterator[Path]:
    """The files of the package that contains a module, and of its packages."""
    yield from sorted(home.path.parent.rglob("*.py"))


def _dotted(home: SourceModule, path: Path) -> str:
    package = home.name if home.is_package else home.name.rpartition(".")[0]
    parts = path.relative_to(home.path.parent).with_suffix("").parts
    inner = parts[:-1] if parts[-1] == "__init__" else parts
    return ".".join([package, *inner])


@cached_on_node
def _registered_in(tree: ast.Module) -> dict[str, tuple[str, str]]:
    """By registered name, the definition and the name of its decorator."""
    found: dict[str, tuple[str, str]] = {}
    for one in tree.body:
        if isinstance(one, (ast.FunctionDef, ast.ClassDef)):
            for decorator in one.decorator_list:
                written = name_of_callee(decorator)
                if "register" in written.lower():
                    given = _first_string(decorator)
                    found[one.name if given is None else given] = one.name, written
    return found


def _first_string(decorator: ast.expr) -> str | None:
    """The name that a decorator registers its function with, if it is not that of the function."""
    if isinstance(decorator, ast.Call):
        for one in (*decorator.args, *(keyword.value for keyword in decorator.keywords)):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                return one.value
    return None
