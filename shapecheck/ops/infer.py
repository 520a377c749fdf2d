"""The public function: what an operator returns for tensor specifications."""

from __future__ import annotations

from typing import Any

from shapecheck.ops import names
from shapecheck.ops.guard import answer
from shapecheck.ops.module import ModuleSpec
from shapecheck.ops.registry import Entry, family_of_names
from shapecheck.ops.unknown import Unknown
from shapecheck.spec.presentation import quoted, value_text


def find(spelling: str) -> Entry | None:
    """The rule of an operator by any of its spellings, or None; `names` lists them."""
    return names.find(spelling)


def infer(name: str | ModuleSpec, /, *args: Any, **kwargs: Any) -> Any:
    """The result of the operator `name` for these arguments.

    name: any spelling of the operator: "torch.matmul", "Tensor.matmul", "@", "F.linear", "aten.add.Tensor",
        "einops.rearrange"; or a layer: "nn.Linear" gives a ModuleSpec, which is called itself or given here as `name`.
    args, kwargs: as the operator accepts them, with a TensorSpec for each tensor and ints or Dims for sizes. Torch's
        own objects are accepted, too: tensors, also meta and fake ones, dtypes, devices, sizes, layouts, generators.

    Returns a TensorSpec, a tuple or list of them, a number or a Dim (`Tensor.size`), a ModuleSpec, Other for what is no
    tensor, or Unknown, whose `reason` explains why the result is unknown.
    Raises ShapeError (DTypeError, LayoutError, CallError) if PyTorch refuses the call whatever the sizes are.

    >>> infer("torch.matmul", TensorSpec(("b", 3), "float32"), TensorSpec((3, 5), "float32"))
    TensorSpec((b, 5), 'float32')
    """
    if isinstance(name, ModuleSpec):
        return name(*args, **kwargs)
    entry = find(name)
    if entry is None:
        return Unknown(_no_rule(name))
    return answer(entry, args, kwargs)


def _no_rule(name: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only for a name without a rule

    near = get_close_matches(name.rpartition(".")[2], family_of_names(), n=1) if len(name) < 80 else []
    return f"no rule for {value_text(name)}" + (f"; did you mean {quoted(near[0])}?" if near else "")
