"""Placeholders: values and methods that are there to be replaced, so that nothing follows from them."""

from __future__ import annotations

import ast

from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.callee_names import name_of_callee
from shapecheck.static.domain.truth import truth


class NegativeDefault(int):
    """A negative number that is a default: as an index it is that number, as a size it is one to be replaced."""

    __slots__ = ()


def as_default(value: Value) -> Value:
    """The value of a default: a negative number is marked as one."""
    return NegativeDefault(value) if type(value) is int and value < 0 else value


def as_written(value: Value) -> Value:
    """The number that a default is; any other value itself."""
    return int(value) if type(value) is NegativeDefault else value


def is_placeholder(value: Value) -> bool:
    """Whether a default is expected to be replaced: empty (a collection, string or tensor), zero, or negative."""
    if value is None or isinstance(value, (bool, float)):
        return False
    return truth(value) is False or (isinstance(value, int) and value < 0) or has_no_elements(value)


def has_no_elements(value: Value) -> bool:
    """Whether it is an empty tensor, which code fills before it is used."""
    return isinstance(value, TensorSpec) and value.rank is not None and any(size == 0 for size in value.dims)


@cached_on_node
def is_placeholder_method(node: ast.AST) -> bool:
    """Whether subclasses are expected to override a method: it raises NotImplementedError, or returns nothing of use.

    The latter is `...`, an empty collection, a tuple with one, or, if it is abstract, `pass`.
    """
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name == "__init__":
        return False
    body = [one for one in node.body if not _is_docstring(one)]
    if len(body) > 1:
        return False
    return _is_abstract(node) if not body or isinstance(body[0], ast.Pass) else _is_empty(body[0])


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_abstract(node: ast.AST) -> bool:
    return any(name_of_callee(one) == "abstractmethod" for one in getattr(node, "decorator_list", []))


def _is_empty(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise):
        return node.exc is not None and name_of_callee(node.exc) == "NotImplementedError"
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) and node.value.value is ...
    if not isinstance(node, ast.Return):
        return False
    value = node.value
    if isinstance(value, ast.Tuple) and value.elts:
        return any(map(_is_empty_display, value.elts))
    return value is not None and _is_empty_display(value)


def _is_empty_display(node: ast.expr) -> bool:
    """Whether it is `[]`, `()` or `{}`."""
    if isinstance(node, ast.Dict):
        return not node.keys
    return isinstance(node, (ast.List, ast.Tuple)) and not node.elts
