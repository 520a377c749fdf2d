"""What the `__call__` of a metaclass does around the constructor: `made = super().__call__(*args); made.set_up()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from shapecheck.project.node_cache import cached_on_node
from shapecheck.static.calls.decorators import FunctionNode, own_nodes

_CONSTRUCTING = frozenset(("__call__", "__init__"))


class AroundConstructor(NamedTuple):
    """The methods of the new object that are called before and after its constructor, each possibly with arguments."""

    before: tuple[str, ...]
    after: tuple[str, ...]


@cached_on_node
def around_constructor(node: FunctionNode) -> AroundConstructor | None:
    """What `__call__` does if it passes its arguments to the constructor and returns the object; None if it may not."""
    if isinstance(node, ast.Lambda) or node.args.vararg is None or node.args.kwarg is None:
        return None
    extras = node.args.vararg.arg, node.args.kwarg.arg
    calls = list(_calls_in_order(node))
    at = [place for place, one in enumerate(calls) if _constructs(one, extras)]
    made = _returned_name(node, calls)
    if len(at) != 1 or made is None or _binds(node, *extras):
        return None
    own = [_method_of(one, made) for one in calls]
    before, after = own[: at[0]], own[at[0] + 1 :]
    return AroundConstructor(tuple(filter(None, before)), tuple(filter(None, after)))


def _calls_in_order(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Call]:
    found = (one for one in own_nodes(node.body) if isinstance(one, ast.Call))
    yield from sorted(found, key=lambda one: (one.lineno, one.col_offset))


def _constructs(node: ast.Call, extras: tuple[str, str]) -> bool:
    """Whether it passes `*args, **kwargs` to `super().__call__`, `type.__call__` or `made.__init__`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in _CONSTRUCTING:
        return False
    starred = [one.value for one in node.args if isinstance(one, ast.Starred)]
    named = [one.value for one in node.keywords if one.arg is None]
    passed = [one.id for one in (*starred, *named) if isinstance(one, ast.Name)]
    plain = len(node.args) - len(starred)
    is_unbound = node.func.attr == "__call__" and isinstance(node.func.value, ast.Name)
    return tuple(passed) == extras and len(node.keywords) == 1 and plain == is_unbound


def _returned_name(node: ast.FunctionDef | ast.AsyncFunctionDef, calls: list[ast.Call]) -> str | None:
    """The variable that is returned; an empty string if the result of a call is, None for anything else."""
    returned = {_name_of(one.value, calls) for one in own_nodes(node.body) if isinstance(one, ast.Return)}
    return returned.pop() if len(returned) == 1 else None


def _name_of(node: ast.expr | None, calls: list[ast.Call]) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    return "" if node in calls else None


def _binds(node: ast.FunctionDef | ast.AsyncFunctionDef, *names: str) -> bool:
    """Whether these names are bound again, or what they contain may be changed."""
    loads = [one for one in own_nodes(node.body) if isinstance(one, ast.Name) and one.id in names]
    changed = (one for one in own_nodes(node.body) if isinstance(one, (ast.Attribute, ast.Subscript)))
    owners = (one.value for one in changed)
    return any(not isinstance(one.ctx, ast.Load) for one in loads) or any(one in loads for one in owners)


def _method_of(node: ast.Call, made: str) -> str | None:
    """The method of the new object that is called; None for any other call."""
    target = node.func
    is_own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == made
    return target.attr if is_own and isinstance(target, ast.Attribute) else None
