"""Operators whose arguments are all given by name: the rules find them, and none fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.ops import find
from shapecheck.ops.families import load
from shapecheck.ops.registry import TABLE
from shapecheck.static import check
from tests.static.programs import lines_of

VALUES = {
    "dim": "1",
    "axis": "1",
    "index": "torch.arange(6)",
    "indices": "(torch.arange(2),)",
    "mask": "y > 0",
    "condition": "y > 0",
    "target": "torch.zeros(3, dtype=torch.int64)",
    "values": "y",
    "tensors": "[x, y]",
    "shape": "(3, 2)",
    "size": "(3, 2)",
}
"""An argument for each parameter of this name; a tensor for every other one that is required."""
FORMS = {
    "arguments without a batch": "y = torch.zeros(3, 1)\n    z = {call}",
    "a result that is used": "y = x.squeeze()\n    z = {call}\n    return z * x",
}


def keyword_call(name: str) -> str:
    """`torch.index_select(input=x, dim=1, index=torch.arange(6))`."""
    parameters = TABLE[name].signature.parameters.values()
    named = [one for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    given = [one.name for one in named if one.default is one.empty or one.name in VALUES]
    arguments = [f"{one}={VALUES.get(one, 'y' if at else 'x')}" for at, one in enumerate(given)]
    return f"torch.{name}({', '.join(arguments)})"


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_no_rule_expects_positional_arguments(form: str, tmp_path: Path) -> None:
    load()
    names = [name for name in TABLE if "." not in name and name.isidentifier() and find(f"torch.{name}") is not None]
    functions = [
        f'def of_{name}(x: Float[Tensor, "b 4"]):\n    {form.format(call=keyword_call(name))}\n' for name in names
    ]
    path, _ = lines_of(tmp_path, "\n".join(functions))
    assert len(names) > 400
    assert [one.message for one in check([path]) if one.code == "internal-error"] == []


@pytest.mark.parametrize(
    "call",
    [
        "torch.index_select(input=x, dim=1, index=torch.arange(4).repeat(x.shape[0]))",
        "x.index_put(indices=(torch.arange(3),), values=torch.zeros(3, 1))",
        "torch.clone(input=x).squeeze() / torch.clone(input=x).squeeze().sum(1)",
    ],
)
def test_calls_that_failed(call: str, tmp_path: Path) -> None:
    path, _ = lines_of(tmp_path, f'def run(x: Float[Tensor, "b 4"]):\n    return {call}\n')
    assert [one.message for one in check([path]) if one.code == "internal-error"] == []
