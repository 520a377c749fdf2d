"""The softmax or normalize that a tensor results from, traced back through the recorded origins of tensors."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping

from shapecheck.ops import ModuleSpec
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.origins import TensorOrigin
from shapecheck.static.engine.run import Run

SOFTMAXES = frozenset(("softmax", "Softmax"))
LOGARITHMS = frozenset(("log_softmax", "LogSoftmax"))
_NORMALIZING = SOFTMAXES | LOGARITHMS | {"normalize"}
PASSING = frozenset(
    "dropout alpha_dropout Dropout AlphaDropout Identity to type type_as float half double bfloat16 contiguous clone "
    "detach masked_fill nan_to_num".split()
)
"""What keeps the order of the elements, and what they sum to."""
_MOST_HOPS = 12


def made_by(run: Run, value: TensorSpec, passing: frozenset[str] = PASSING) -> TensorOrigin | None:
    """The call that computed a tensor, before dropout, a cast or a mask."""
    for _ in range(_MOST_HOPS):
        made = run.origins.of_tensor(value)
        if made is None or name_of(made) not in passing:
            return made
        source = made.args[0] if made.args else None
        if not isinstance(source, TensorSpec):
            return None
        value = source
    return None


def name_of(made: TensorOrigin) -> str:
    """The name of an operator or layer without its namespace, and of its form that is not in place."""
    callee = made.callee.name if isinstance(made.callee, ModuleSpec) else made.callee
    name = callee.rpartition(".")[2]
    return name if name.endswith("__") else name.removesuffix("_")


def axis_of(made: TensorOrigin, place: int = 1, default: Value = None) -> int | None:
    """The argument `dim` of a softmax, or of normalize, at this place; None if it is unknown."""
    if isinstance(made.callee, ModuleSpec):
        given: Value = getattr(made.callee, "dim", None)
    else:
        given = made.kwargs.get("dim", made.args[place] if len(made.args) > place else default)
    return given if type(given) is int else None


def tensors_of(made: TensorOrigin) -> Iterator[TensorSpec]:
    """The operands that are tensors."""
    return (one for one in made.args if isinstance(one, TensorSpec))


@cached_on_node
def written_axes(tree: ast.Module) -> Mapping[str, frozenset[str]]:
    """The numbers that a file passes to softmax and such as a dimension, as it writes them; "" where it passes none."""
    found: dict[str, set[str]] = defaultdict(set)
    for one in walk(tree):
        if isinstance(one, ast.Call) and (name := _called(one)) in _NORMALIZING:
            given = [*one.args, *(part.value for part in one.keywords if part.arg in ("dim", "axis"))]
            found[name].update([ast.unparse(part) for part in given if _is_integer(part)] or [""])
    return {name: frozenset(axes) for name, axes in found.items()}


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_integer(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) is int
