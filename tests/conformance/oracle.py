"""What the rule says against what torch does, for one call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from shapecheck.ops import ModuleSpec, Unknown, find
from shapecheck.ops.guard import call
from shapecheck.ops.registry import Entry
from shapecheck.spec import Dim, ShapeError, TensorSpec, Unanswered, as_dtype
from tests.conformance.specs import layout_of, spec_of

# Their sizes hang on the data: an unknown size of known rank is all that can be said.
DATA_DEPENDENT = frozenset(
    """
    nonzero argwhere masked_select unique unique_consecutive bincount repeat_interleave combinations linalg.lstsq
    nn.functional.ctc_loss nn.functional.one_hot _unsafe_masked_index histogramdd __getitem__ to_sparse item equal
    allclose
    """.split()
)


class Verdict(NamedTuple):
    """kind: exact, unknown, wrong, flagged, crash; layout: whether a layout that was claimed is false."""

    kind: str
    why: str = ""
    layout: str = ""


def refused_by_torch(function: Callable[..., Any], args: Any, kwargs: Any) -> Exception | None:
    try:
        function(*args, **kwargs)
    except Exception as refusal:
        return refusal
    return None


def judge(name: str, function: Callable[..., Any], args: Any, kwargs: Any) -> Verdict | None:
    """The verdict on one call that torch answers; None where torch itself refuses it here."""
    given = spec_of((tuple(args), dict(kwargs)))
    try:
        real = function(*args, **kwargs)
    except Exception:
        return None
    entry = find(name)
    return Verdict("unknown", "no rule") if entry is None else compared(name, entry, given, real)


def compared(name: str, entry: Entry, given: Any, real: Any) -> Verdict:
    args, kwargs = given
    try:
        ours = call(entry, args, kwargs)
    except ShapeError as refusal:
        return Verdict("flagged", f"{type(refusal).__name__}: {refusal} | {show(given)}")
    except Unanswered as why:
        return Verdict("unknown", str(why) + f" | {show(given)}")
    except Exception as crash:
        return Verdict("crash", f"{type(crash).__name__}: {crash} | {show(given)}")
    kind, why = difference(ours, real, name in DATA_DEPENDENT)
    layout = "" if kind == "wrong" else false_layout(ours, real)
    return Verdict(kind, why and f"{why} | {show(given)}", layout and f"{layout} | {show(given)}")


def show(given: Any) -> str:
    return repr(given)[:400]


def difference(ours: Any, real: Any, data_dependent: bool) -> tuple[str, str]:
    if isinstance(ours, Unknown):
        return ("exact", "") if data_dependent and not isinstance(real, torch.Tensor) else ("unknown", repr(ours))
    if isinstance(real, torch.Tensor):
        return tensor_difference(ours, real, data_dependent)
    if isinstance(real, (tuple, list)):
        return items_difference(ours, real, data_dependent)
    if isinstance(real, torch.dtype):
        return ("exact", "") if ours == as_dtype(str(real)) else ("wrong", f"{ours} for {real}")
    if isinstance(ours, Dim) and type(real) is int:
        return ("exact" if data_dependent else "unknown"), f"{ours} for {real}"
    return ("exact", "") if ours == real and type(ours) is type(real) else ("wrong", f"{ours!r} for {real!r}")


def items_difference(ours: Any, real: Any, data_dependent: bool) -> tuple[str, str]:
    if not isinstance(ours, (tuple, list)) or len(ours) != len(real):
        return "wrong", f"{ours!r:.200} for {len(real)} results {spec_of(real)!r:.200}"
    worst = ("exact", "")
    for mine, theirs in zip(ours, real, strict=True):
        kind, why = difference(mine, theirs, data_dependent)
        if kind == "wrong":
            return kind, why
        if kind == "unknown":
            worst = kind, why
    return worst


def tensor_difference(ours: Any, real: torch.Tensor, data_dependent: bool) -> tuple[str, str]:
    shown = f"{ours} for {spec_of(real)}"
    if not isinstance(ours, TensorSpec):
        return "wrong", shown
    if ours.dtype is not None and str(ours.dtype) != str(real.dtype):
        return "wrong", shown
    if ours.rank is None:
        return "unknown", shown
    if ours.rank != real.dim():
        return "wrong", shown
    open_sizes = [size for size in ours.dims if isinstance(size, Dim)]
    if any(type(size) is int and size != due for size, due in zip(ours.dims, real.shape, strict=True)):
        return "wrong", shown
    if ours.dtype is None or (open_sizes and not data_dependent):
        return "unknown", shown
    return "exact", ""


def false_layout(ours: Any, real: Any) -> str:
    """What a spec claims of the layout and torch contradicts; empty where it claims nothing or is right."""
    if isinstance(real, (tuple, list)):
        found = [false_layout(a, b) for a, b in zip(ours, real, strict=True)] if isinstance(ours, (tuple, list)) else []
        return next(filter(None, found), "")
    if not isinstance(real, torch.Tensor) or not isinstance(ours, TensorSpec) or real.layout is not torch.strided:
        return ""
    if real.numel() == 0 or ours.layout == "unknown":
        return ""
    if ours.strides is not None:
        pairs = zip(real.shape, ours.strides, real.stride(), strict=True)
        if any(n > 1 and type(mine) is int and mine != theirs for n, mine, theirs in pairs):
            return f"strides {ours.strides} for {real.stride()} of {tuple(real.shape)}"
    claims = {
        "contiguous": real.is_contiguous(),
        "non-contiguous": not real.is_contiguous(),
        "channels_last": layout_of(real) in ("channels_last",) or channels_last_too(real),
    }
    return "" if claims[ours.layout] else f"{ours.layout} for strides {real.stride()} of {tuple(real.shape)}"


def channels_last_too(real: torch.Tensor) -> bool:
    formats = {4: torch.channels_last, 5: torch.channels_last_3d}
    return real.dim() in formats and real.is_contiguous(memory_format=formats[real.dim()])


def answer_of_module(layer: ModuleSpec, given: Any, real: Any) -> Verdict:
    args, kwargs = given
    return compared(type(layer).name, layer.entry, ((layer, *args), kwargs), real)
