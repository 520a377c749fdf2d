"""What is used as a tensor, but is a tuple of results, a method, or a property that is called.

`x.max(1)` returns values and indices, an LSTM its output and its states: tuples, which have no attributes of tensors
and no arithmetic. `loss.item` is a method, and `x.shape` is no method.
"""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.ops import Unknown
from shapecheck.spec import Dim, DType, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.floats import UnknownFloat
from shapecheck.static.domain.open_sizes import OpenSizes
from shapecheck.static.domain.several_results import are_results, names_of
from shapecheck.static.domain.torch_names import is_modelled
from shapecheck.static.domain.values import BuiltinMethod
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.evident_tensors import is_evident

_CODE: Final = "wrong-call"
_PROPERTIES: Final = frozenset("shape ndim dtype itemsize".split())
_METHODS: Final = frozenset(
    """
    item mean sum size dim numel nelement max min abs sqrt exp log pow float long int half double bool backward detach
    clone cpu cuda contiguous squeeze flatten t view reshape permute transpose tolist numpy any all norm std var prod
    argmax argmin relu sigmoid tanh softmax type element_size stride median sort unbind round floor ceil sign neg square
    """.split()
)
"""Methods of tensors, not attributes such as `grad`."""
_NUMBERS: Final = (int, float, UnknownFloat, Dim)
_LONGEST: Final = 60


def report_attribute(run: Run, node: ast.AST, value: Value, name: str) -> Value:
    """Reports `x.max(1).float()`; None if the tuple may have this attribute."""
    is_of_tensors = name in _PROPERTIES or is_modelled(f"Tensor.{name}")
    if not is_of_tensors or not are_results(value) or not isinstance(node, ast.Attribute):
        return None
    if hasattr(tuple, name) or name in names_of(value):
        return None
    return run.report(
        _CODE, node, f"{_text(node.value)} is {_kind(value)}, which has no attribute {name}{_advice(value)}"
    )


def report_operands(run: Run, node: ast.AST, symbol: str, left: Value, right: Value) -> Value:
    """Reports `x.max(1) + 1` and `total + loss.item`; None if the operands may be right."""
    places = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
    if isinstance(node, ast.AugAssign):
        places = (node.target, node.value)
    for one, other, place in zip((left, right), (right, left), places, strict=False):
        if not isinstance(other, (TensorSpec, *_NUMBERS)) or (symbol == "*" and isinstance(other, (int, Dim))):
            continue
        if are_results(one):
            return run.report(_CODE, node, f"{symbol}: {_text(place)} is {_kind(one)}, not a tensor{_advice(one)}")
        if _is_method(one):
            return run.report(_CODE, node, f"{symbol}: {_text(place)} is a method; call {_text(place)}()")
    return None


def report_item(run: Run, node: ast.AST, value: Value) -> Value:
    """Reports `x.size[0]`; None if the value may have items."""
    if not isinstance(node, ast.Subscript) or not (_is_method(value) or _is_size_of_evident(run, node.value, value)):
        return None
    text = _text(node.value)
    advice = f"{text}({ast.unparse(node.slice)})" if text.endswith(".size") else f"{text}(...)"
    return run.report(_CODE, node, f"{text} is a method, which has no items; call it: {advice}")


def report_slice(run: Run, node: ast.Slice) -> None:
    """Reports `x[...:n]`: no sequence or tensor has a slice that begins or ends with an ellipsis."""
    bounds = [one for one in (node.lower, node.upper) if isinstance(one, ast.Constant) and one.value is ...]
    if bounds:
        run.report(_CODE, bounds[0], "an ellipsis is no bound of a slice; a comma is missing")


def report_call(run: Run, node: ast.AST, value: Value) -> Value:
    """Reports `x.shape()`; None if the value may be callable."""
    written = node.func if isinstance(node, ast.Call) else None
    if not isinstance(written, ast.Attribute) or written.attr not in _PROPERTIES:
        return None
    if not isinstance(value, (tuple, int, Dim, DType, OpenSizes)):
        return None
    return run.report(_CODE, node, f"{_text(written)} is a property, not a method; leave out the parentheses")


def _is_method(value: Value) -> bool:
    """Whether it is a method of a tensor."""
    if not isinstance(value, BuiltinMethod) or value.name not in _METHODS:
        return False
    return isinstance(value.receiver, TensorSpec) and mark_of(value.receiver) is None


def _is_size_of_evident(run: Run, node: ast.expr, value: Value) -> bool:
    """Whether it is `x.size` of an x that is unknown, or perhaps an array, and that the function uses as a tensor."""
    is_open = type(value) is Unknown or (isinstance(value, BuiltinMethod) and isinstance(value.receiver, TensorSpec))
    if not is_open or not isinstance(node, ast.Attribute) or node.attr != "size":
        return False
    return is_evident(run.frame.function, node.value)


def _kind(value: Value) -> str:
    names = names_of(value)
    count = len(value) if isinstance(value, tuple) else 0
    return f"a tuple of {' and '.join(names) if names else f'{count} results'}"


def _advice(value: Value) -> str:
    names = names_of(value)
    return f"; take .{names[0]} or [0]" if names else "; take one of them"


def _text(node: ast.AST) -> str:
    text = ast.unparse(node)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
