"""What is computed from an argument about which nothing is known: another size, if it is one."""

from __future__ import annotations

import ast
from typing import cast

import pytest

from shapecheck.spec import Size, axis, unknown
from shapecheck.static.domain.fingerprints import fingerprint
from shapecheck.static.domain.join import join
from shapecheck.static.domain.symbolic_argument import SymbolicArgument
from shapecheck.static.engine.run import Run
from shapecheck.static.expressions.operators import binary

N = unknown("n")
RESULTS: dict[str, Size | None] = {
    "n + 64": N + 64,
    "n * 2": N * 2,
    "2 * n": N * 2,
    "n - 1": N - 1,
    "n // 2": N // 2,
    "n * 0.5": None,
}
NO_RUN = cast("Run", None)


@pytest.mark.parametrize("source", RESULTS)
def test_a_size_that_is_computed_is_not_the_argument(source: str) -> None:
    node = ast.parse(source, mode="eval").body
    assert isinstance(node, ast.BinOp)
    argument = SymbolicArgument("n")
    argument.own_size = N
    sides = [one.value if isinstance(one, ast.Constant) else argument for one in (node.left, node.right)]
    found = binary(NO_RUN, node, node.op, *sides)
    assert isinstance(found, SymbolicArgument)
    assert found.axes is argument.axes
    assert found.size != argument.size
    assert RESULTS[source] in (None, found.size)
    assert fingerprint(found) != fingerprint(argument)


def test_a_size_of_several_paths_is_none_of_them() -> None:
    argument = SymbolicArgument("n")
    argument.own_size = N
    both = join(argument, argument.computed(axis("n", "") + 64))
    assert isinstance(both, SymbolicArgument)
    assert both.axes is argument.axes
    assert both.size not in (N, N + 64)
    assert fingerprint(join(both, argument.computed(axis("n", "") * 2))) == fingerprint(both)
