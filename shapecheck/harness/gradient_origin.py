"""The operator whose derivative is not finite first."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple

from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils.hooks import RemovableHandle

from shapecheck.harness.divergence import Step, module_of_frame
from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.places import place_of_caller


class _Call(NamedTuple):
    step: Step
    given: list[Tensor]


class GradientOrigin(TorchFunctionMode):
    """Watches the gradients of all tensors between the operators of a call."""

    def __init__(self, paths: Mapping[int, str]) -> None:
        super().__init__()
        self._paths = paths
        self._calls: list[_Call] = []
        self._hooks: dict[int, RemovableHandle] = {}
        self._wrong: set[int] = set()
        """The identities of tensors whose gradient is not finite."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator unchanged."""
        given = [one for one in flat((args, kwargs)) if one.requires_grad]
        for one in given:
            if id(one) not in self._hooks:
                self._watch(one)
        result = func(*args, **(kwargs or {}))
        if given:
            frame = inspect.currentframe()
            name = getattr(func, "__name__", str(func))
            step = Step(name, place_of_caller(frame), module_of_frame(self._paths, frame), [])
            self._calls.append(_Call(step, given))  # keeps the tensors, so that identities stay unique
        return result

    def find(self) -> Step | None:
        """After backward: the last operator with finite gradients of its results, but not of its arguments."""
        for call in reversed(self._calls):
            if any(id(one) in self._wrong for one in call.given):
                return call.step
        return None

    def remove(self) -> None:
        """Removes all hooks."""
        for handle in self._hooks.values():
            handle.remove()

    def _watch(self, tensor: Tensor) -> None:
        key = id(tensor)

        def look(grad: Tensor) -> None:
            if not bool(grad.isfinite().all()):
                self._wrong.add(key)

        self._hooks[key] = tensor.register_hook(look)  # type: ignore[no-untyped-call]
