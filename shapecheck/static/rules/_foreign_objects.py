"""Whether code of a repository gives attributes to objects that the class of these objects does not show."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.domain.attribute_writes import NAMING, functions_in, subclasses_in_file
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.computed_names import computed_names
from shapecheck.static.domain.objects import ClassValue
from shapecheck.static.domain.unbound_methods import ANY, unbound_methods
from shapecheck.static.engine.run import Run

Item = TypeVar("Item")


_WITHOUT_SELF: Final = frozenset(("staticmethod", "classmethod"))


def may_be_of_other_class(run: Run, cls: ClassValue) -> bool:
    """Whether a method of a class may be bound to objects of other classes: it is read as `Net.forward`."""
    methods = frozenset[str]().union({ANY}, *(_methods_with_self(one.node) for one in cls.mro()))
    names = _names_of(cls) | {ANY}
    every = _facts(run, [*_names_of(cls), "__func__"], unbound_methods).values()
    return any(one.cls in names and one.method in methods for found in every for one in found)


def may_be_given(run: Run, cls: ClassValue, name: str) -> bool:
    """Whether code that computes the name of an attribute may give this one to an object of a class.

    In files that do not name the class, only names of which a part is written there count.
    """
    around, path = run.session.project.identifiers_around(run.loaded.path), run.loaded.path.absolute()
    users = {path}.union(*map(around.files_with, _names_of(cls)))
    every = _facts(run, NAMING, computed_names).items()
    return any(one.may_be(name) and (one.is_telling or path in users) for path, found in every for one in found)


def _facts(
    run: Run, names: Iterable[str], fact: Callable[[ast.Module], frozenset[Item]]
) -> dict[Path, frozenset[Item]]:
    """What a function finds in the file, and in those of the repository in which one of these names occurs."""
    path = run.loaded.path
    around = run.session.project.identifiers_around(path)
    return {**around.facts(names, fact), path.absolute(): fact(run.loaded.tree)}


def _names_of(cls: ClassValue) -> frozenset[str]:
    """The names of a class, its bases, and the subclasses in its file."""
    return frozenset((*(one.node.name for one in cls.mro()), *(one.name for one in subclasses_in_file(cls))))


@cached_on_node
def _methods_with_self(node: ast.ClassDef) -> frozenset[str]:
    methods = functions_in(node.body)
    return frozenset(
        one.name for one in methods if _WITHOUT_SELF.isdisjoint(last_name(part) for part in one.decorator_list)
    )
