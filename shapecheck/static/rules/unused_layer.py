"""`self.last = nn.Linear(128, n)` of a module that never applies it: nothing in the repository reads the attribute.

Its weights are trained by nothing, and often another layer was written in its place: `self.norm(context)` instead of
`self.norm_context(context)`.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.ops import ModuleSpec, Trait, layers_with
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.attribute_writes import subclasses_in_file
from shapecheck.static.domain.callee_names import is_of_self, last_name
from shapecheck.static.domain.objects import ClassValue
from shapecheck.static.engine.hooks import assigned
from shapecheck.static.engine.run import Run
from shapecheck.static.rules._owners import has_weights, owner

_CODE: Final = "unused-layer"
_BASES: Final = frozenset(("nn.Module", "torch.nn.Module", "Module"))
_READING_ALL: Final = frozenset(
    """
    getattr setattr vars eval exec children named_children modules named_modules get_submodule _modules __dict__
    __getattr__ NotImplementedError abstractmethod
    """.split()
)
"""Names in a class that may read any layer, or leave the use to a subclass."""
_KEPT: Final = lazy_pattern(r"(?i)unused|not used|never used|compat|legacy|checkpoint|todo|ddp|dummy")
"""What the name or a comment says of a layer that is kept on purpose."""


@assigned(_CODE, "=")
def of_constructor(run: Run, node: ast.AST, value: Value) -> None:
    """Reports a layer with weights that a constructor stores in an attribute that is never read."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    target = node.targets[0]
    if not isinstance(target, ast.Attribute) or not is_of_self(target) or run.frame.name != "__init__":
        return
    if any(frame.call is not None and frame.call.loaded is not run.loaded for frame in run.outward()):
        return  # it is found where the class is checked by itself, and has nothing to do with this call
    cls = owner(run.frame)
    if cls is None or run.loaded.is_library or not _is_closed(cls.node) or target.attr in _read(cls.node):
        return
    is_layer = isinstance(value, ModuleSpec) and value.name in layers_with(Trait.HAS_WEIGHTS)
    if not (is_layer or has_weights(value)) or _is_kept(run, node) or _is_read_outside(run, cls, target.attr):
        return
    run.report(
        _CODE, node, f"self.{target.attr} is never used: {cls.node.name} builds the layer, but does not apply it"
    )


@cached_on_node
def _is_closed(node: ast.ClassDef) -> bool:
    """Whether a class is a module of its own, whose layers are read by their names."""
    if [ast.unparse(one) in _BASES for one in node.bases] != [True] or node.keywords or node.decorator_list:
        return False
    methods = [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
    names = (last_name(one) for one in walk(node) if isinstance(one, (ast.Name, ast.Attribute)))
    return "forward" in methods and _READING_ALL.isdisjoint(names)


@cached_on_node
def _read(node: ast.ClassDef) -> frozenset[str]:
    """The attributes that a class reads of any object, and the words in its strings."""
    reads = [one for one in walk(node) if isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Store)]
    return frozenset(one.attr for one in reads) | _words(node)


def _is_kept(run: Run, node: ast.Assign) -> bool:
    """Whether the lines of an assignment, or the one above, say that the layer is not meant to be used."""
    lines = run.loaded.text.splitlines()
    around = lines[max(node.lineno - 2, 0) : node.end_lineno]
    return any(_KEPT.search(one) for one in around)


def _is_read_outside(run: Run, cls: ClassValue, name: str) -> bool:
    """Whether a subclass or another object of the repository may read the attribute."""
    path = run.loaded.path
    around = run.session.project.identifiers_around(path)
    if not around.is_searchable or any(subclasses_in_file(cls)) or name in _read_of_others(run.loaded.tree):
        return True
    if any(cls.node.name in found for found in around.facts([name], _extended).values()):
        return True
    return any(name in found for found in around.facts([name], _read_of_others).values())


@cached_on_node
def _extended(tree: ast.Module) -> frozenset[str]:
    """The names of the classes that a file extends, or imports under another name."""
    bases = (last_name(base) for one in walk(tree) if isinstance(one, ast.ClassDef) for base in one.bases)
    imports = (alias for one in walk(tree) if isinstance(one, ast.ImportFrom) for alias in one.names)
    return frozenset(bases) | {one.name for one in imports if one.asname}


@cached_on_node
def _read_of_others(tree: ast.Module) -> frozenset[str]:
    """The attributes that a file reads of other objects than `self`, and the words in its strings."""
    reads = (one for one in walk(tree) if isinstance(one, ast.Attribute) and not is_of_self(one))
    return frozenset(one.attr for one in reads) | _words(tree)


def _words(tree: ast.AST) -> frozenset[str]:
    """The words in strings that may be the names of weights, such as `head.weight`, but not in texts."""
    texts = (one.value for one in walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str))
    return frozenset(word for one in texts if not re.search(r"\s", one.strip()) for word in re.findall(r"\w+", one))
