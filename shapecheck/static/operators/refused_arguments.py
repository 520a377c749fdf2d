"""Calls that are refused, but may be right with other values of their arguments."""

from __future__ import annotations

import ast

from shapecheck.ops import ModuleSpec, Unknown, infer
from shapecheck.ops.tensor_arguments import tensor_arguments
from shapecheck.spec import CallError, NegativeSizeError, ShapeError, SignatureError, TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.objects import ListValue
from shapecheck.static.domain.placeholders import NegativeDefault
from shapecheck.static.domain.several_results import are_results
from shapecheck.static.domain.structure import reached
from shapecheck.static.engine.dispatch import Arguments, Keywords
from shapecheck.static.engine.operands import to_ops
from shapecheck.static.engine.run import Run
from shapecheck.static.operators.forwarded_arguments import may_forward_others, unpacks_arguments

_Callee = str | ModuleSpec
_OF_PACKET = "torch.ops.aten.topk".count(".")


def depends_on_values(
    run: Run, node: ast.AST, name: _Callee, args: Arguments, kwargs: Keywords, refusal: CallError
) -> bool:
    """Whether a call may be right with other values of its arguments.

    A signature of torch holds whatever they are, but an object with such a method may be no tensor.
    """
    if may_forward_others(run, node):
        return True
    if isinstance(refusal, SignatureError) and _has_other_signature(name, node):
        return True
    is_of_torch = isinstance(name, str) and name.startswith("torch.") and not name.startswith("torch.Tensor.")
    if isinstance(refusal, SignatureError) and is_of_torch and not unpacks_arguments(node):
        return False
    return not _passes_results(name, args, kwargs) and any(map(_is_vague, (*args, *kwargs.values())))


def _passes_results(name: _Callee, args: Arguments, kwargs: Keywords) -> bool:
    """Whether a tensor is expected, and several results are given, such as those of an LSTM, whatever they are."""
    return any(map(are_results, tensor_arguments(name, args, kwargs)))


def _has_other_signature(name: _Callee, node: ast.AST) -> bool:
    """Whether a call may fit a signature that the rule does not have.

    That is one of an overload, such as that of `torch.ops.aten.topk.values` for results that exist, or one for named
    tensors, which older versions of torch have.
    """
    if isinstance(name, str) and name.startswith("torch.ops.") and name.count(".") > _OF_PACKET:
        return True
    return isinstance(node, ast.Call) and any(one.arg == "names" for one in node.keywords)


def follows_from_default(name: _Callee, args: Arguments, kwargs: Keywords, refusal: ShapeError) -> bool:
    """Whether a call is refused because of a negative default, which callers replace."""
    if not isinstance(refusal, (NegativeSizeError, CallError)) or not any(map(_has_default, (*args, *kwargs.values()))):
        return False
    if isinstance(refusal, NegativeSizeError):
        return True
    try:
        infer(name, *map(_opened, args), **{key: _opened(value) for key, value in kwargs.items()})
    except ShapeError:
        return False
    return True


def _has_default(value: Value) -> bool:
    return any(type(one) is NegativeDefault for one in reached(value, (tuple, ListValue), 2))


def _opened(value: Value) -> object:
    """The operand for an argument, unknown if it contains a negative default."""
    return Unknown("a default that is to be replaced") if _has_default(value) else to_ops(value)


def _is_vague(value: Value) -> bool:
    """Whether so little is known of an argument that a `CallError` proves nothing."""
    operand = to_ops(value)
    if isinstance(operand, (list, tuple)):
        return any(map(_is_vague, operand))
    return (
        operand is None or isinstance(operand, Unknown) or (isinstance(operand, TensorSpec) and operand.dtype is None)
    )
