"""An operand with another rank or dtype: `squeeze`, `unsqueeze` and `to`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecheck.lsp.worker.candidate import Candidate, FixTarget
from shapecheck.spec import TensorSpec

CODES = frozenset(("silent-broadcast", "loss-broadcast", "float64-leak", "dtype-mismatch", "shape-mismatch"))
_MOST = 2


def candidates(found: FixTarget) -> Iterator[Candidate]:
    """The edits for one finding."""
    tensors = [(one, value) for one in _operands(found.node) if isinstance(value := found.value(one), TensorSpec)]
    if found.diagnostic.code in ("float64-leak", "dtype-mismatch"):
        yield from _dtypes(found, tensors)
    elif len(tensors) == _MOST:
        yield from _ranks(found, *tensors)


def _operands(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Call):
        receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*receiver, *node.args]
    return []


def _ranks(
    found: FixTarget, first: tuple[ast.expr, TensorSpec], second: tuple[ast.expr, TensorSpec]
) -> Iterator[Candidate]:
    """Removes the dimension of size 1 that one operand has and the other lacks, or adds it to the other."""
    for (node, one), (other_node, other) in ((first, second), (second, first)):
        if one.rank is None or other.rank is None or one.rank != other.rank + 1:
            continue
        places = [place for place, size in enumerate(one.dims) if size == 1 and place > 0]
        for place in places[:1]:
            name, other_name = found.text(node), found.text(other_node)
            yield Candidate(f"Squeeze dimension {place} of {name}", found.as_operand(node, f".squeeze({place})"))
            unsqueezed = found.as_operand(other_node, f".unsqueeze({place})")
            yield Candidate(f"Unsqueeze dimension {place} of {other_name}", unsqueezed)


def _dtypes(found: FixTarget, tensors: list[tuple[ast.expr, TensorSpec]]) -> Iterator[Candidate]:
    known = {one.dtype.name for _, one in tensors if one.dtype is not None}
    for node, one in tensors:
        for name in sorted(known - {"float64"} or {"float32"}):
            if one.dtype is not None and one.dtype.name != name:
                edits = found.as_operand(node, f".to(torch.{name})")
                yield Candidate(f"Convert {found.text(node)} to torch.{name}", edits)
