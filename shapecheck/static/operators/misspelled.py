"""`nn.Layernorm(8)` and `x.typ_as(y)`: names that torch does not have, one letter away from one that it has."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from string import ascii_letters

from shapecheck.ops import find, layers_with
from shapecheck.ops.traits import NO_TRAITS
from shapecheck.project.tree_walk import walk
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.run import Run
from shapecheck.static.provenance.reflected import ARITHMETIC, may_be_reflected

_CODE = "wrong-call"
_LEAST = {"Tensor": 5, "torch.nn": 4, "torch.nn.functional": 5, "torch": 6}
"""How long a name must be, so that no other name is like it by chance."""
_OTHERS = frozenset(
    """
    is_ipu is_xpu ccol_indices row_indices retains_grad parameter compiler float16 saddmm Gradient sizes strides
    get_float32_matmul_precision
    """.split()
)
"""Names without a model that are like one that has one: torch has them, or objects with tensors do."""
_OF_COLLECTIONS = frozenset(name for kind in (dict, list, set, str) for name in dir(kind))
"""Methods of other types, which a collection of tensors may have as well."""
_CONTAINERS = frozenset("ModuleList ModuleDict Sequential ParameterList ParameterDict Parameter Module".split())


def report_misspelled(run: Run, node: ast.AST, name: str, args: Sequence[Value]) -> None:
    """Reports a call of a name that is not modelled, if it is almost one that is."""
    meant = _meant(name)
    if not meant or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    if not _is_tried(run, node) and not any(may_be_reflected(run, one, ARITHMETIC) for one in args[:1]):
        holder, _, short = name.rpartition(".")
        owner = "a tensor" if holder == "Tensor" else holder
        run.report(_CODE, node, f"{owner} has no attribute {short}; expected {meant}")


@lru_cache(maxsize=1 << 10)
def _meant(name: str) -> str:
    """The name of torch that is most like it, empty if none is."""
    holder, _, short = name.rpartition(".")
    if len(short) < _LEAST.get(holder, len(short) + 1) or short.startswith("_") or short in _OTHERS | _OF_COLLECTIONS:
        return ""
    as_written = (one for one in layers_with(NO_TRAITS) if one.lower() == short.lower())
    others = as_written if holder == "torch.nn" else ()
    similar = (one for one in _similar(short) if one.endswith("_") == short.endswith("_") and not one.startswith("_"))
    return next((one for one in chain(others, similar) if _has(holder, one)), "")


def _has(holder: str, name: str) -> bool:
    """Whether torch has a class, or a function if the holder has functions."""
    if name[:1].isupper() != (holder == "torch.nn"):
        return False
    return find(f"{holder}.{name}") is not None or name in _CONTAINERS


def _similar(name: str) -> Iterator[str]:
    """The names that differ in one letter, or in two letters that are exchanged. Digits differ between versions."""
    letters = ascii_letters + "_"
    for at in [place for place, one in enumerate(name) if not one.isdigit()]:
        before, after = name[:at], name[at + 1 :]
        yield from (before + one + after for one in letters if one != name[at])
        yield before + after
        yield from (before + one + name[at:] for one in letters)
        if after:
            yield before + after[0] + name[at] + after[1:]
    yield from (name + one for one in letters)


def _is_tried(run: Run, node: ast.AST) -> bool:
    """Whether the call is in a function that tests which names there are."""
    function = run.frame.function
    return any(
        isinstance(one, ast.Try) or (isinstance(one, ast.Name) and one.id in ("hasattr", "getattr"))
        for one in (() if function is None else walk(function))
    )
