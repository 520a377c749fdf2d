"""Where a program detaches gradients."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from shapecheck.harness.tensors import flat
from shapecheck.runtime.guards.places import SourceLocation, place_of_caller

_QUERIES = re.compile(
    r"zeros|ones|empty|full|rand|_like|__get__|__set__|size|stride|new_|sign|floor|ceil|round|isnan|allclose"
)
_ATTRIBUTES = frozenset(
    ("__get__", "__len__", "is_floating_point", "is_complex", "is_contiguous", "size", "dim", "stride", "numel")
)
"""Calls that read shape, dtype or device: without a tensor as result, they do not use its values."""
_CHOICES = ("argmax", "argmin", "argsort", "multinomial", "bincount", "searchsorted", "nonzero")


@dataclass
class Cut:
    """A call from tensors with a gradient to one without. is_choice: whether the result is an index."""

    place: SourceLocation
    function: str
    is_choice: bool
    given: list[Tensor]
    made: list[Tensor]


class Cuts(TorchFunctionMode):
    """Records the calls that detach gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Cut] = []
        self.used: set[int] = set()
        """Tensors with a gradient that were passed to some call, by identity."""
        self.differentiates = False
        """Whether the program computes gradients itself."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator unchanged."""
        result = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        is_choice = name in _CHOICES
        self.differentiates = self.differentiates or func is torch.autograd.grad
        if name not in _ATTRIBUTES or isinstance(result, Tensor):
            self.used.update(id(one) for one in flat((args, kwargs)) if one.is_leaf)
        if is_choice or (isinstance(result, Tensor) and _is_cut(func, name, result)):
            given = [one for one in flat((args, kwargs)) if one.requires_grad]
            if given:
                self.found.append(Cut(place_of_caller(inspect.currentframe()), name, is_choice, given, flat(result)))
        return result

    def detaches(self, results: list[Tensor]) -> bool:
        """Whether one of the results is what detach() returned."""
        made = [id(one) for cut in self.found if cut.function == "detach" for one in cut.made]
        return any(id(one) in made for one in results)

    def of(self, parameter: Tensor) -> Cut | None:
        """The first cut between the parameter and the result; cuts of a tensor before those of an index."""
        return next(
            (cut for cut in sorted(self.found, key=lambda cut: cut.is_choice) if _reaches(cut.given, parameter)), None
        )


def _is_cut(func: Any, name: str, result: Tensor) -> bool:
    """Whether it returned floats without a gradient, and does not only read the shape or an attribute."""
    if not result.dtype.is_floating_point or result.requires_grad:
        return False
    owner = getattr(getattr(func, "__self__", None), "__name__", "")
    return _QUERIES.search(name) is None or owner == "data"


def _reaches(given: list[Tensor], parameter: Tensor) -> bool:
    """Whether the gradient of these tensors would reach the parameter."""
    if any(one is parameter for one in given):
        return True
    left: list[torch.autograd.graph.Node] = [one.grad_fn for one in given if one.grad_fn is not None]
    seen: set[Any] = set()
    while left:
        node = left.pop()
        if node in seen:
            continue
        seen.add(node)
        if getattr(node, "variable", None) is parameter:
            return True
        left.extend(following for following, _ in node.next_functions if following is not None)
    return False
