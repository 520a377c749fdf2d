"""`x.unsqueeze(0)` as a statement: the new tensor is discarded, and x does not change."""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import members_of
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import ClassValue, ListValue
from shapecheck.static.domain.values import ExternalReference
from shapecheck.static.engine.hooks import AbstractCall, Called, after, discarded
from shapecheck.static.engine.places import text_of
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.reevaluation import reevaluate
from shapecheck.static.rules._run_for_effect import is_run_for_effect

_CODE: Final = "discarded-result"

_MOVES = frozenset(
    "to cpu cuda float double half bfloat16 long int short bool type type_as contiguous clone detach".split()
)
"""What objects that hold tensors do in place: batches, packed sequences, modules."""
_ARRANGES = """
    view reshape view_as reshape_as flatten unflatten ravel unsqueeze squeeze transpose permute t swapaxes swapdims
    movedim moveaxis expand expand_as repeat repeat_interleave tile roll flip fliplr flipud rot90 narrow
    index_select masked_select gather take take_along_dim split chunk unbind cat concat stack hstack vstack tril triu
    broadcast_to sort argsort topk pad
"""
_COMPUTES = """
    add sub subtract mul multiply div divide true_divide floor_divide remainder pow neg abs sqrt rsqrt exp log log1p
    sin cos square reciprocal sign round floor ceil trunc frac erf lerp addcmul addcdiv
    clamp clamp_min clamp_max clip nan_to_num fill masked_fill masked_scatter scatter scatter_add scatter_reduce
    index_fill index_add index_copy index_put where fill_diagonal
    relu sigmoid tanh softmax log_softmax gelu silu elu leaky_relu softplus logsigmoid dropout normalize
    sum mean std var prod amax amin argmax argmin cumsum cumprod norm minimum maximum logical_not
"""
_METHODS: Final = frozenset((*_MOVES, *_ARRANGES.split(), *_COMPUTES.split()))
_NO_METHODS: Final = frozenset(
    """
    cat concat stack hstack vstack fill fill_diagonal gelu silu elu leaky_relu softplus logsigmoid dropout normalize pad
    """.split()
)
"""Of these, those that only functions of torch have: a method of this name is one that the program adds."""
_LAYERS = """
    ReLU ReLU6 LeakyReLU PReLU ELU SELU CELU GELU SiLU Mish Sigmoid Tanh Hardswish Hardsigmoid Hardtanh Softplus
    Softmax LogSoftmax Dropout Dropout1d Dropout2d Dropout3d Flatten Unflatten
""".split()
_REFERENCES = (ast.Name, ast.Attribute, ast.Subscript)
_IN_PLACE = frozenset(
    """
    add sub subtract mul multiply div divide true_divide floor_divide remainder pow neg abs sqrt rsqrt exp log log1p
    sin cos square reciprocal sign round floor ceil trunc frac erf lerp addcmul addcdiv
    clamp clamp_min clamp_max clip nan_to_num masked_fill masked_scatter scatter scatter_add scatter_reduce
    index_fill index_add index_copy index_put relu sigmoid tanh cumsum cumprod logical_not
    unsqueeze squeeze transpose t swapaxes swapdims tril triu
    """.split()
)
"""Of these, those with an in-place method."""


@discarded(_CODE, *_METHODS)
def without_use(run: Run, node: ast.AST, value: Value) -> None:
    """Reports the call of a method of a tensor, or of a function of torch with one as first argument."""
    if not isinstance(node, ast.Call) or not _is_of_tensors(value) or _may_write(node):
        return
    operand = _operand(run, node)
    if operand is None or is_run_for_effect(run, node):
        return
    _report(run, node, last_name(node.func), operand)


@after(_CODE, *map(Called, _LAYERS))
def layer_without_use(call: AbstractCall, result: Value) -> Value:
    """Reports the call of a layer without state, `self.relu(x)`."""
    node, run = call.node, call.run
    if isinstance(node, ast.Call) and node.args and node in _statements(run.loaded.tree):
        is_called = call.layer is not None and _value(run, node.func) is call.layer
        if is_called and getattr(call.layer, "inplace", False) is False and not is_run_for_effect(run, node):
            _report(run, node, call.name, node.args[0])
    return result


@cached_on_node
def _statements(tree: ast.Module) -> frozenset[ast.expr]:
    """The expressions of a file that are statements, or arms of a conditional expression that is one."""
    waiting = [one.value for one in walk(tree) if isinstance(one, ast.Expr)]
    found = set(waiting)
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.IfExp):
            waiting += (one.body, one.orelse)
            found |= {one.body, one.orelse}
    return frozenset(found)


def _report(run: Run, node: ast.Call, name: str, operand: ast.expr) -> None:
    place = text_of(operand) if isinstance(operand, _REFERENCES) else ""
    message = f"{name} returns a new tensor, which is not used" + (f", and does not change {place}" if place else "")
    is_method = isinstance(node.func, ast.Attribute) and node.func.value is operand
    advice = f", or use {place}.{name}_" if is_method and name in _IN_PLACE else ""
    run.report(_CODE, node, f"{message}; assign the result{advice}")


def _is_of_tensors(value: Value) -> bool:
    """Whether a result is a tensor, or several."""
    if isinstance(value, TensorSpec):
        return mark_of(value) is None
    items = value.items if isinstance(value, ListValue) and not value.lost else value
    return isinstance(items, tuple) and bool(items) and all(map(_is_of_tensors, items))


def _may_write(node: ast.Call) -> bool:
    """Whether the call writes its result: `out=`, `inplace=True`, or True as an argument that may be inplace."""
    if any(isinstance(one, ast.Constant) and one.value is True for one in node.args):
        return True
    written = [one.value for one in node.keywords if one.arg in (None, "out", "inplace")]
    return any(not isinstance(one, ast.Constant) or one.value is True for one in written)


def _operand(run: Run, node: ast.Call) -> ast.expr | None:
    """The tensor that the author may have expected to change: an expression that refers to it, else None."""
    if isinstance(node.func, ast.Attribute) and _is_tensor(_value(run, place := _root(node.func.value))):
        if node.func.attr in _NO_METHODS:
            return None
        return None if node.func.attr in _MOVES and not _is_proven(run, place) else place
    called = _value(run, node.func)
    if not isinstance(called, ExternalReference) or not called.name.startswith("torch.") or not node.args:
        return None
    parts = [one for one in walk(node.args[0]) if isinstance(one, _REFERENCES)]
    items = [one for one in getattr(node.args[0], "elts", ()) if one in parts]
    has_tensors = any(_has_tensors(_value(run, one)) for one in parts)
    return node.args[0] if has_tensors or any(_may_be_tensor(_value(run, one)) for one in items) else None


def _root(node: ast.expr) -> ast.expr:
    """`x` of `x.view(2, 3).to(device)`."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
        node = node.func.value
    return node


def _value(run: Run, node: ast.expr) -> Value:
    """The value of a name, an attribute or an item; None of any other expression, which makes a new tensor."""
    return reevaluate(run, node, run.frame.scope) if isinstance(node, _REFERENCES) else None


def _is_tensor(value: Value) -> bool:
    return isinstance(value, TensorSpec) and mark_of(value) is None


def _has_tensors(value: Value) -> bool:
    """Whether a value is a tensor, or a list or tuple, which holds those that `cat` and `stack` combine."""
    return _is_tensor(value) or isinstance(value, ListValue) or (type(value) is tuple and any(map(_is_tensor, value)))


def _may_be_tensor(value: Value) -> bool:
    """Whether an item of a list that torch receives may be a tensor of the program, not one made for the call."""
    return any(isinstance(one, (TensorSpec, Unknown)) for one in members_of(value))


def _is_proven(run: Run, place: ast.expr) -> bool:
    """Whether a value is a tensor, not only an object with such a method, as an attribute or argument may be."""
    value = _value(run, place)
    if isinstance(value, TensorSpec) and (value.shape.least_rank or value.rank is not None or value.dtype is not None):
        return True
    function = run.frame.function
    if not isinstance(place, ast.Name) or not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return isinstance(place, ast.Name)
    parameters = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    annotations = [one.annotation for one in parameters if one.arg == place.id]
    return all(one is not None and not _is_no_tensor(run, one) for one in annotations)


def _is_no_tensor(run: Run, annotation: ast.expr) -> bool:
    """Whether an annotation is a class of the project or a library, as nn.Module, whose objects may change in place."""
    named = _value(run, annotation)
    if isinstance(named, ClassValue):
        return True
    if not isinstance(named, ExternalReference) or named.name.startswith(("typing.", "jaxtyping.")):
        return False
    return not named.name.startswith("torch.") or not named.name.endswith(("Tensor", "Parameter"))
