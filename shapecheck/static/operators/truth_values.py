"""The truth value of a tensor, as in `if x:`, `not x` and `x or y`: torch refuses one of several elements.

`if mask:` of an optional tensor works only until somebody passes one; the condition should be `mask is not None`.
"""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.project.node_cache import cached_on_node
from shapecheck.spec import TensorSpec
from shapecheck.spec.elements import never_has_one_element
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.handled_none import none_defaults
from shapecheck.static.domain.unset_argument import UnsetArgument
from shapecheck.static.engine.argument_binding import parameters_of
from shapecheck.static.engine.dispatch import dispatch, evaluate
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.known_elements import truth_of
from shapecheck.static.provenance.reflected import EQUALITIES, may_be_reflected

_UNKNOWN = (Unknown, UnsetArgument)
_OPTIONAL = frozenset(
    text.replace("Tensor", tensor)
    for tensor in ("Tensor", "torch.Tensor")
    for text in ("Optional[Tensor]", "typing.Optional[Tensor]", "Tensor | None", "None | Tensor", "Union[Tensor, None]")
)


def tested(run: Run, node: ast.expr) -> tuple[Value, bool | None]:
    """The value of a condition and its truth, None if unknown; reports a tensor that has no truth value."""
    value = evaluate(run, node)
    report_ambiguous(run, node, value)
    if isinstance(node, ast.Name) and _is_argument(node, value):
        _report_optional(run, node)
    return value, truth_of(run, value)


def report_ambiguous(run: Run, node: ast.expr, value: Value) -> None:
    """Reports a tensor of several elements where a truth value is needed."""
    if not isinstance(value, TensorSpec) or not _is_tensor(value) or not never_has_one_element(value.shape):
        return
    if not may_be_reflected(run, value, EQUALITIES):
        dispatch.torch_call(run, node, "__bool__", (value,), {})


def _report_optional(run: Run, node: ast.Name) -> None:
    function = run.frame.function
    if function is not None and node.id in _optional_tensors(function):
        _report(run, node, node.id, f"compare {node.id} with None")


def report_default(run: Run, node: ast.BoolOp) -> None:
    """Reports `context or x` of an argument that is a tensor if it is given, like x, another argument."""
    names = [one.id for one in node.values if isinstance(one, ast.Name)]
    function = run.frame.function
    if not isinstance(node.op, ast.Or) or len(node.values) != 2 or len(names) != 2:
        return
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) or not _is_default(function, *names):
        return
    first, second = (evaluate(run, one) for one in node.values)
    if (
        _is_argument(node.values[0], first)
        and isinstance(second, TensorSpec)
        and _is_tensor(second)
        and second.rank != 0
    ):
        _report(run, node, names[0], f"use `{names[1]} if {names[0]} is None else {names[0]}`")


def _is_default(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, other: str) -> bool:
    """Whether an argument without a default replaces one with the default None."""
    optional = none_defaults(function)
    return name in optional and other not in optional and other in {one.name for one in parameters_of(function.args)}


def _report(run: Run, node: ast.expr, name: str, advice: str) -> None:
    message = f"the truth value of a tensor of several elements is ambiguous; {advice}"
    run.report("off-default", node, f"{message} (fails whenever {name} is given)")


def _is_tensor(value: Value) -> bool:
    return type(value) is TensorSpec and mark_of(value) is None


def _is_argument(node: ast.expr, value: Value) -> bool:
    """Whether a variable is what an entry point received for a parameter."""
    return isinstance(node, ast.Name) and _is_unset(value, node.id)


def _is_unset(value: Value, name: str) -> bool:
    """Whether nothing is known about the argument of this name, which may be None."""
    return isinstance(value, Unknown) and type(value) in _UNKNOWN and value.reason == f"argument {name}"


@cached_on_node
def _optional_tensors(function: ast.AST) -> frozenset[str]:
    """The parameters with the annotation of a tensor or None."""
    spec = getattr(function, "args", None)
    written = ((one.name, one.node.annotation) for one in (parameters_of(spec) if spec is not None else ()))
    return frozenset(name for name, node in written if node is not None and ast.unparse(node) in _OPTIONAL)
