"""One finished call of an operator, as the rules see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from shapecheck.runtime.describe import shape_text


class OperatorCall(NamedTuple):
    """An operator with its arguments and its result."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any
    function: Any = None

    @property
    def name(self) -> str:
        """The name in the program: `softmax`."""
        return getattr(self.function, "__name__", "the operator")

    def argument(self, position: int, name: str) -> Any:
        """An argument by its position or its name; None if it is not given."""
        return self.args[position] if len(self.args) > position else self.kwargs.get(name)

    def tensors(self) -> list[Tensor]:
        """The positional and keyword arguments that are tensors, without those in lists."""
        return [one for one in (*self.args, *self.kwargs.values()) if isinstance(one, Tensor)]


def shown(tensor: Tensor) -> str:
    """`torch.float32 (8, 3)`."""
    return shown_as(tensor.dtype, tensor.shape)


def shown_as(dtype: torch.dtype, shape: Sequence[int]) -> str:
    """The same for a tensor of this dtype and shape."""
    return f"{dtype} {shape_text(shape)}"


def is_new(call: OperatorCall, tensor: Tensor) -> bool:
    """Whether the result does not share memory with the tensor."""
    result = call.result
    return result is not tensor and not torch._C._is_alias_of(result, tensor)  # type: ignore[attr-defined]
