"""Which files can observe an edit: changed names spread from definition to definition that mentions them.

A definition that mentions a changed name is changed itself, and so is what it binds, in its file and in those that
import it. If it does more than bind names, everything that imports its file may observe that. Mentions are read from
the source, so they cover all that the analysis of a file may look up, whatever it has looked up in earlier runs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property

from shapecheck.project.definitions import NameImport, Resolve, TopLevelDefinition, definitions_of, names_in, targets

_OPEN = re.compile(r"import[ ]*\(?[ ]*\*|getattr|globals|__import__|import_module")


class SpreadModule:
    """One file: its text, its imports, and what of it is changed."""

    def __init__(self, text: str, resolve: Resolve) -> None:
        self.text = text
        self.resolve = resolve
        self.changed: set[str] = set()
        """The names in its namespace that are changed."""
        self.attributes: set[str] = set()
        """The changed names of the modules that it imports, directly or not: those that attributes may mean."""
        self.affected: set[TopLevelDefinition] = set()
        """The definitions that observe a change; imports alone do not."""

    @cached_property
    def definitions(self) -> list[TopLevelDefinition]:
        """Its top-level statements."""
        return definitions_of(self.text, self.resolve)

    @cached_property
    def has_open_code(self) -> bool:
        """Whether it may read names that its text does not contain."""
        return _OPEN.search(self.text) is not None


class Spread:
    """The spread of changes through the files of a project; `importers` are those of each file, indirect ones too."""

    def __init__(self, module: Callable[[str], SpreadModule | None], importers: Callable[[str], Iterable[str]]) -> None:
        self.affected: set[str] = set()
        """The files with definitions that observe a change."""
        self.opaque: set[str] = set()
        """The files in which all that import them may observe a change."""
        self._module = module
        self._importers = importers

    def start(self, changes: Mapping[str, Iterable[str]]) -> None:
        """Spreads the changed names of files, by real path."""
        waiting = [(real, set(names)) for real, names in changes.items()]
        while waiting:
            real, names = waiting.pop()
            module = self._module(real)
            if module is not None and (names := names - module.changed):
                module.changed |= names
                waiting += self._spread(real, names)

    def _spread(self, real: str, names: set[str]) -> list[tuple[str, set[str]]]:
        """The names that newly changed ones of a file change, by file."""
        word = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b")
        importers = {*self._importers(real)}
        found = list(self._imported_in_a_circle(real, names, importers))
        for home in {real, *importers}:
            module = self._module(home)
            if module is None:
                continue
            if home != real:
                module.attributes |= names
            if module.has_open_code or word.search(module.text):
                found.append((home, self._changed_in(home, module)))
        return found

    def _imported_in_a_circle(
        self, real: str, names: set[str], importers: Container[str]
    ) -> Iterator[tuple[str, set[str]]]:
        """Where the changed names of a file come from, if that file imports this one: it may see the new subclasses."""
        module = self._module(real)
        if module is None or not importers:
            return
        for one in module.definitions:
            for each in one.mentions.imports if one.is_import else ():
                home = next(targets(each, module.resolve)) if each.bound in names and each.name else None
                if home is not None and home in importers:
                    yield home, {each.name}

    def _changed_in(self, home: str, module: SpreadModule) -> set[str]:
        """Marks the definitions of a file that observe a change, and returns the names that they bind."""
        names: set[str] = set()
        for one in module.definitions:
            if one.is_import:
                names |= {bound for each in one.mentions.imports for bound in self._bound_by(each, module)}
            elif one not in module.affected and self._observes(one, module):
                module.affected.add(one)
                names |= one.names | _siblings(one, module)
                self.affected.add(home)
                if not one.is_plain:
                    self.opaque.add(home)
        if "__all__" in names:
            self.opaque.add(home)
        return names

    def _observes(self, one: TopLevelDefinition, module: SpreadModule) -> bool:
        mentions = one.mentions
        if not mentions.names.isdisjoint(module.changed) or not mentions.attributes.isdisjoint(module.attributes):
            return True
        if mentions.is_open and (module.attributes or module.changed):
            return True
        return any(self._bound_by(each, module) for each in mentions.imports)

    def _bound_by(self, one: NameImport, module: SpreadModule) -> set[str]:
        """The names that an import binds to changed ones."""
        home = next(targets(one, module.resolve))
        source = None if home is None or not one.name else self._module(home)
        if source is None:
            return set()
        return set(source.changed) if one.name == "*" else {one.bound} if one.name in source.changed else set()


def _siblings(definition: TopLevelDefinition, module: SpreadModule) -> set[str]:
    """The bases of a class that has a changed one: what it overrides may concern the users of the others."""
    if not isinstance(definition.node, ast.ClassDef):
        return set()
    bases = names_in(*definition.node.bases)
    return set() if bases.isdisjoint(module.changed | module.attributes) else bases
