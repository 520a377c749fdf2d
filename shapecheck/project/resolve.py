"""Resolves names across a project's files, and decides whether a class is an nn.Module."""

from __future__ import annotations

import ast
from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shapecheck.project.known_bases import is_module_class
from shapecheck.project.modules import above, dotted_name, in_folder, package_root
from shapecheck.project.outline import blank_method_bodies
from shapecheck.project.parsing import CANNOT_PARSE, parse
from shapecheck.project.scope import AssignedName, Binding, Class, File, Function, ImportedName, NameScope
from shapecheck.project.source import SourceError, SourceFile

_CACHED_TEXT = 3_000_000
"""Characters of source whose trees are kept; a tree needs about thirty times the memory of its text."""

_MAX_HOPS = 40
"""Maximum number of aliases and imports to follow for one name, because of cycles."""


@dataclass(frozen=True, slots=True)
class ExternalName:
    """Something outside the project, by its dotted name."""

    dotted: str


@dataclass(frozen=True, slots=True)
class NamespacePackage:
    """A module of the project."""

    dotted: str
    path: Path


Meaning = ExternalName | NamespacePackage | Class | Function | None
"""None: unknown."""


class NameResolver:
    """The files of one run and what they import. Trees are parsed on demand and dropped when there are many."""

    def __init__(self, files: Collection[Path], roots: Sequence[Path]) -> None:
        self.files = frozenset(files)
        self.roots = tuple(roots)
        self._whole = _Trees()
        self._skimmed = _Trees()
        self._module_paths: dict[tuple[str, Path], Path | None] = {}
        self._verdicts: dict[tuple[Path, str, int], bool | None] = {}

    def add(self, source: SourceFile) -> File:
        """Parse a source; raise SyntaxError, ValueError or RecursionError as `ast.parse` does."""
        file = _file(source, parse(source.text))
        self._whole.keep(source.path, file)
        return file

    def load(self, path: Path) -> File | None:
        """The file at a path, possibly without method bodies; None if it cannot be read or parsed."""
        for trees in (self._whole, self._skimmed):
            if path in trees:
                return trees.get(path)
        file = None
        with suppress(OSError, SourceError, *CANNOT_PARSE):
            source = SourceFile.from_bytes(path.read_bytes(), path)
            try:
                file = _file(source, parse(blank_method_bodies(source.text)))
            except SyntaxError:
                file = _file(source, parse(source.text))
        self._skimmed.keep(path, file)
        return file

    def in_full(self, cls: Class) -> Class:
        """The class with its method bodies, which a class of another file may lack."""
        path = cls.file.source.path
        file = self._whole.get(path) or self.add(cls.file.source)
        return next((whole for whole in file.classes if whole.line == cls.line), cls)

    def trim(self) -> None:
        """Drop the least recently used trees; called between two files, when nothing refers to their nodes."""
        self._whole.trim()
        self._skimmed.trim()

    # -- names

    def meanings(self, node: ast.expr, scope: NameScope, hops: int = 0) -> list[Meaning]:
        """The possible meanings of an expression in a scope: one for each binding, None if it cannot be resolved."""
        if hops > _MAX_HOPS:
            return [None]
        if isinstance(node, ast.Name):
            return self._name(node.id, scope, hops)
        if isinstance(node, ast.Attribute):
            owners = self.meanings(node.value, scope, hops + 1)
            return [found for owner in owners for found in self._member(owner, node.attr, hops + 1)]
        if isinstance(node, ast.Subscript):
            return self.meanings(node.value, scope, hops + 1)
        if isinstance(node, ast.IfExp):
            return [*self.meanings(node.body, scope, hops + 1), *self.meanings(node.orelse, scope, hops + 1)]
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self._string(node.value, scope, hops)
        return [None]

    def _string(self, text: str, scope: NameScope, hops: int) -> list[Meaning]:
        try:
            return self.meanings(ast.parse(text.strip(), mode="eval").body, scope, hops + 1)
        except (SyntaxError, ValueError, RecursionError):
            return [None]

    def _name(self, name: str, scope: NameScope, hops: int) -> list[Meaning]:
        for level in scope.chain():
            if name in level.names:
                return [found for binding in level.names[name] for found in self._bound(binding, level, hops + 1)]
            for star in level.stars:
                found = self._starred(star, name, level.file, hops + 1)
                if found:
                    return found
        return [ExternalName(f"builtins.{name}")]

    def _starred(self, star: ImportedName, name: str, file: File, hops: int) -> list[Meaning]:
        owner = self._module(star.module, star.level, file)
        if isinstance(owner, NamespacePackage):
            return [m for m in self._member(owner, name, hops) if m is not None] if self._exports(owner, name) else []
        if isinstance(owner, ExternalName) and is_module_class(f"{owner.dotted}.{name}"):
            return [ExternalName(f"{owner.dotted}.{name}")]
        return []

    def _exports(self, owner: NamespacePackage, name: str) -> bool:
        """Whether `import *` takes a name from a module: one of `__all__`, or a public name if that is unknown."""
        file = self.load(owner.path)
        exported = None if file is None else _exported(file)
        return not name.startswith("_") if exported is None else name in exported

    def _bound(self, binding: Binding, scope: NameScope, hops: int) -> list[Meaning]:
        if isinstance(binding, (Class, Function)):
            return [binding]
        if isinstance(binding, ImportedName):
            owner = self._module(binding.module, binding.level, scope.file)
            return self._member(owner, binding.name, hops) if binding.name else [owner]
        if isinstance(binding, AssignedName) and binding.value is not None:
            return self.meanings(binding.value, scope, hops)
        return [None]

    def _member(self, owner: Meaning, name: str, hops: int) -> list[Meaning]:
        if hops > _MAX_HOPS:
            return [None]
        if isinstance(owner, ExternalName):
            return [ExternalName(f"{owner.dotted}.{name}")]
        if isinstance(owner, Class):
            bindings = owner.body.names.get(name, ())
            return [found for b in bindings for found in self._bound(b, owner.body, hops + 1)] or [None]
        if isinstance(owner, NamespacePackage):
            return self._package_member(owner, name, hops)
        return [None]

    def _package_member(self, owner: NamespacePackage, name: str, hops: int) -> list[Meaning]:
        file = self.load(owner.path)
        if file is not None and (name in file.scope.names or file.scope.stars):
            found = self._name(name, file.scope, hops + 1)
            if found != [ExternalName(f"builtins.{name}")]:
                return found
        dotted = f"{owner.dotted}.{name}"
        path = self.find(dotted, owner.path)
        return [NamespacePackage(dotted, path)] if path else [None]

    # -- modules

    def _module(self, module: str, level: int, file: File) -> Meaning:
        dotted = module
        if level:
            parts = file.dotted.split(".")
            keep = len(parts) - level + (1 if file.is_package else 0)
            dotted = ".".join([*parts[: max(keep, 0)], *([module] if module else [])])
            start = above(str(file.source.path.parent), level)
            path = None if start is None else in_folder(Path(start), module)
            return NamespacePackage(dotted, path) if path else None
        path = self.find(dotted, file.source.path)
        return NamespacePackage(dotted, path) if path else ExternalName(dotted)

    def find(self, dotted: str, near: Path) -> Path | None:
        """The file of the project for a dotted module name, imported in the file `near`."""
        top = package_root(near.parent)
        key = (dotted, top)
        if key not in self._module_paths:
            homes = dict.fromkeys([top, near.parent, *self.roots])
            found = (in_folder(home, dotted) for home in homes)
            self._module_paths[key] = next((path for path in found if path), None)
        return self._module_paths[key]

    # -- classes

    def bases(self, cls: Class) -> list[Meaning]:
        """The meanings of a class's bases, left to right."""
        return [found for base in cls.node.bases for found in self.meanings(base, cls.scope)]

    def is_module(self, cls: Class) -> bool | None:
        """Whether a class is known to be an nn.Module; None if a base class cannot be resolved."""
        key = (cls.file.source.path, cls.qualname, cls.line)
        if key not in self._verdicts:
            self._verdicts[key] = None  # for a class that derives from itself
            self._verdicts[key] = _any(self.means_module(base) for base in self.bases(cls))
        return self._verdicts[key]

    def means_module(self, meaning: Meaning) -> bool | None:
        """Whether the meaning of a name is an nn.Module class."""
        if isinstance(meaning, Class):
            return self.is_module(meaning)
        if isinstance(meaning, ExternalName):
            return is_module_class(meaning.dotted)
        return None if meaning is None else False

    def ancestors(self, cls: Class) -> Iterator[Class]:
        """The classes of the project that a class derives from, nearest first, each once."""
        seen = {id(cls)}
        waiting = self.bases(cls)
        while waiting:
            base = waiting.pop(0)
            if isinstance(base, Class) and id(base) not in seen:
                seen.add(id(base))
                yield base
                waiting[:0] = self.bases(base)


class _Trees:
    """Parsed files; the least recently used are dropped first."""

    def __init__(self) -> None:
        self._files: OrderedDict[Path, File | None] = OrderedDict()
        self._weight = 0

    def __contains__(self, path: Path) -> bool:
        return path in self._files

    def get(self, path: Path) -> File | None:
        if path in self._files:
            self._files.move_to_end(path)
        return self._files.get(path)

    def keep(self, path: Path, file: File | None) -> None:
        self._forget(path)
        self._files[path] = file
        self._weight += len(file.source.text) if file else 0

    def _forget(self, path: Path) -> None:
        old = self._files.pop(path, None)
        if old is not None:
            self._weight -= len(old.source.text)
            old.dissolve()

    def trim(self) -> None:
        while self._weight > _CACHED_TEXT and self._files:
            self._forget(next(iter(self._files)))


def _file(source: SourceFile, tree: ast.Module) -> File:
    dotted, is_package = dotted_name(source.path)
    return File(source, tree, dotted, is_package)


def _exported(file: File) -> frozenset[str] | None:
    """The names in the `__all__` of a file; None if it has none, or if more than one literal makes it."""
    bindings = file.scope.names.get("__all__", ())
    only = bindings[0] if len(bindings) == 1 else None
    value = only.value if isinstance(only, AssignedName) else None
    if not isinstance(value, (ast.List, ast.Tuple)) or "__all__." in file.source.text:
        return None
    names = [one.value for one in value.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return frozenset(names) if len(names) == len(value.elts) else None


def _any(answers: Iterator[bool | None]) -> bool | None:
    verdict: bool | None = False
    for answer in answers:
        if answer:
            return True
        if answer is None:
            verdict = None
    return verdict
