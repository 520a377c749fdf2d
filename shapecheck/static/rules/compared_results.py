"""`torch.max(out, 1) == labels`: a tuple of values and indices equals no tensor, so the result is always False."""

from __future__ import annotations

import ast
from typing import Final

from shapecheck.spec import TensorSpec
from shapecheck.static.domain.array_likes import mark_of
from shapecheck.static.domain.several_results import are_results, names_of
from shapecheck.static.engine.hooks import AbstractComparison, compared

_CODE: Final = "constant-comparison"


@compared(_CODE, "==", "!=")
def of_results(comparison: AbstractComparison) -> None:
    """Reports a comparison of several results with a tensor."""
    left, right = comparison.values
    for node, value, other in ((comparison.left, left, right), (comparison.right, right, left)):
        if are_results(value) and isinstance(other, TensorSpec) and mark_of(other) is None:
            verdict = "true" if comparison.op == "!=" else "false"
            items = " and ".join(names_of(value)) or "results"
            message = f"`{ast.unparse(comparison.node)}` is always {verdict}: {ast.unparse(node)} is a tuple of {items}"
            comparison.run.report(_CODE, comparison.node, f"{message}, not a tensor; compare one of them")
            return
