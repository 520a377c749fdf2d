"""Entry points for the rest of the engine: calls of functions of numpy, and operators with an array operand."""

from __future__ import annotations

import ast

from shapecheck.ops import Unknown
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.arrays import ArraySpec
from shapecheck.static.engine.dispatch import dispatch
from shapecheck.static.engine.escape import havoc_escaped
from shapecheck.static.engine.run import Run
from shapecheck.static.models.numpy.calling import call_rule
from shapecheck.static.models.numpy.functions import FUNCTIONS
from shapecheck.static.models.numpy.operators import binary
from shapecheck.static.models.numpy.random import RANDOM


def numpy_call(run: Run, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of a call of the function `name`, which starts with `numpy.`."""
    module, _, short = name.rpartition(".")
    table = RANDOM if module.startswith("numpy.random") else FUNCTIONS if module == "numpy" else {}
    rule = table.get(short)
    if rule is None:
        havoc_escaped(run, (*args, *kwargs.values()))
        return Unknown(f"unsupported function {name}")
    return call_rule(rule, args, kwargs)


def with_arrays(run: Run, node: ast.AST, symbol: str, left: Value, right: Value) -> Value:
    """The result of an operator with an array operand. With a tensor, a NumPy scalar is a 0-D tensor."""
    if not isinstance(left, TensorSpec) and not isinstance(right, TensorSpec):
        return binary(symbol, left, right)
    scalars = [one.spec if isinstance(one, ArraySpec) and one.shape.rank == 0 else one for one in (left, right)]
    if any(isinstance(one, ArraySpec) for one in scalars):
        return Unknown("operation on a tensor and an array")
    return dispatch.torch_call(run, node, symbol, tuple(scalars), {})
