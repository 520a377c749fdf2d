"""Attributes that code gives to objects other than `self` under names that it computes: `setattr(x, f"w{i}", w)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.parents import parents_in
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.attribute_writes import NAMING
from shapecheck.static.domain.callee_names import last_name

_ANY = ".*"
_CONTAINERS = frozenset("Sequential ModuleList ModuleDict ParameterList ParameterDict".split())
"""Classes whose objects are known not to be of a class of the project."""
_OWN_NAMES = frozenset("named_children named_modules named_parameters named_buffers".split())
_FIELDS = re.compile(r"\{[^{}]*\}")
_CONVERSIONS = re.compile(r"%(?:\(\w+\))?[-+ #0-9.*]*[a-zA-Z]")
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


class ComputedName(NamedTuple):
    """The names that an expression may have as its value."""

    pattern: str

    def may_be(self, name: str) -> bool:
        """Whether a name has the literal parts, in their order."""
        return re.fullmatch(self.pattern, name) is not None

    @property
    def is_telling(self) -> bool:
        """Whether the literal parts have a letter or a digit."""
        return any(map(str.isalnum, self.pattern))


@cached_on_node
def computed_names(tree: ast.Module) -> frozenset[ComputedName]:
    """The names that a file computes of attributes that it gives to objects other than `self`."""
    calls = [one for one in walk(tree) if isinstance(one, ast.Call) and last_name(one.func) in NAMING]
    every = (pattern for one in calls for pattern in _patterns_of_call(one, tree))
    return frozenset(ComputedName(one) for one in every if _ANY in one)


def _patterns_of_call(call: ast.Call, tree: ast.Module) -> Iterator[str]:
    arguments = list(call.args)
    if isinstance(call.func, ast.Attribute) and call.func.attr != "setattr" and not _is_class(call.func.value):
        arguments.insert(0, call.func.value)
    scope = _holder(call, _SCOPES, tree)
    if not arguments or _is_own(arguments[0], call, tree) or _is_container(arguments[0], scope, tree):
        return
    named = [one.value for one in call.keywords if one.arg == "name"]
    name = arguments[1] if len(arguments) > 1 else named[0] if named else arguments[0]
    if not _is_name_of_child(name, arguments[0], scope):
        values = _values_of(name, scope) if isinstance(name, ast.Name) else []
        yield from map(_pattern, values or [name])


def _is_class(node: ast.expr) -> bool:
    """Whether it seems to be the class in `object.__setattr__(x, name, value)`."""
    return last_name(node) == "object" or last_name(node)[:1].isupper()


def _is_own(node: ast.expr, call: ast.Call, tree: ast.Module) -> bool:
    """Whether an object is `self` or `super()` in a class: the class itself shows that its attributes are unknown."""
    if last_name(node.func if isinstance(node, ast.Call) else node) not in ("self", "super"):
        return False
    return isinstance(_holder(call, (ast.ClassDef,), tree), ast.ClassDef)


def _holder(node: ast.AST, kinds: tuple[type[ast.AST], ...], tree: ast.Module) -> ast.AST:
    """The innermost node of these kinds around a node; the file if there is none."""
    parents = parents_in(tree)
    while node is not tree:
        node = parents[node]
        if isinstance(node, kinds):
            return node
    return tree


def _is_container(node: ast.expr, scope: ast.AST, tree: ast.Module) -> bool:
    """Whether a variable or an attribute has only containers of layers as its values."""
    values = _values_of(node, tree if isinstance(node, ast.Attribute) else scope)
    every = values or [node]
    return all(isinstance(one, ast.Call) and last_name(one.func) in _CONTAINERS for one in every)


def _is_name_of_child(name: ast.expr, owner: ast.expr, scope: ast.AST) -> bool:
    """Whether the name is the variable of a loop over `owner.named_children()`, so that `owner` has the attribute."""
    loops = [one for one in walk(scope) if isinstance(one, ast.For) and isinstance(name, ast.Name)]
    over = [one.iter for one in loops if any(_is_same(variable, name) for variable in walk(one.target))]
    calls = [one.func for part in over for one in walk(part) if isinstance(one, ast.Call)]
    own = [one for one in calls if isinstance(one, ast.Attribute) and one.attr in _OWN_NAMES]
    return bool(own) and all(_is_same(one.value, owner) for one in own)


def _is_same(one: ast.AST, other: ast.AST) -> bool:
    return ast.unparse(one) == ast.unparse(other)


def _values_of(node: ast.expr, where: ast.AST) -> list[ast.expr]:
    """What code assigns to a variable or an attribute; nothing if it may also get its value in another way."""
    name = last_name(node)
    values: list[ast.expr] = []
    stores = 0
    for one in walk(where):
        if isinstance(one, ast.arg) and one.arg == name and isinstance(node, ast.Name):
            return []
        if isinstance(one, ast.Assign):
            values += (one.value for target in one.targets if _is_store(target, node, name))
        elif isinstance(one, ast.AnnAssign) and one.value is not None and _is_store(one.target, node, name):
            values.append(one.value)
        stores += _is_store(one, node, name)
    return values if len(values) == stores else []


def _is_store(one: ast.AST, node: ast.expr, name: str) -> bool:
    """Whether it assigns to the name, as a variable or an attribute like the node."""
    return (
        isinstance(one, (ast.Name, ast.Attribute))
        and type(one) is type(node)
        and not isinstance(one.ctx, ast.Load)
        and last_name(one) == name
    )


def _pattern(node: ast.expr) -> str:
    """A regular expression for the string that is the value of an expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_pattern, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _pattern(node.left) + _pattern(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _filled(node.left, _CONVERSIONS)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return _filled(node.func.value, _FIELDS)
    return _ANY


def _filled(template: ast.expr, fields: re.Pattern[str]) -> str:
    if isinstance(template, ast.Constant) and isinstance(template.value, str):
        return _ANY.join(map(re.escape, fields.split(template.value)))
    return _ANY
