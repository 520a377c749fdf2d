"""Records the calls of the `autograd.Function`s of the program."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from shapecheck.runtime.guards.places import SourceLocation, is_of_program


@dataclass(frozen=True)
class FunctionCall:
    """A call with its arguments. differentiable: the positions of floating-point tensors that require a gradient."""

    function: Any
    arguments: tuple[Any, ...]
    differentiable: tuple[int, ...]

    def name_of(self, position: int) -> str:
        """The name of an argument."""
        names = [*inspect.signature(self.function.forward).parameters]
        position += 0 if _has_setup(self.function) else 1
        return names[position] if position < len(names) else f"argument {position}"

    def place_of_backward(self) -> SourceLocation | None:
        """The line that defines backward."""
        backward = inspect.unwrap(self.function.backward)
        lines, first = inspect.getsourcelines(backward)
        offset = next((number for number, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)
        return SourceLocation(inspect.getsourcefile(backward) or "", first + offset)


@contextmanager
def calls_of_functions() -> Iterator[dict[Any, FunctionCall]]:
    """The first call of each function that is called meanwhile and has an argument that requires a gradient."""
    found: dict[Any, FunctionCall] = {}
    changed = []
    for function in _functions(Function):
        forward = vars(function).get("forward")
        if isinstance(forward, staticmethod) and is_of_program(inspect.unwrap(forward.__func__).__code__.co_filename):
            changed.append((function, forward))
            setattr(function, "forward", staticmethod(_recorded(function, forward.__func__, found)))  # noqa: B010
    try:
        yield found
    finally:
        for function, forward in changed:
            setattr(function, "forward", forward)  # noqa: B010


def _functions(base: Any) -> Iterator[Any]:
    for one in base.__subclasses__():
        yield one
        yield from _functions(one)


def _recorded(function: Any, forward: Callable[..., Any], found: dict[Any, FunctionCall]) -> Callable[..., Any]:
    def recording(*args: Any) -> Any:
        given = args if _has_setup(function) else args[1:]
        wanted = tuple(index for index, one in enumerate(given) if _is_differentiable(one))
        if function not in found and wanted:
            copies = tuple(one.detach().clone() if isinstance(one, Tensor) else one for one in given)
            found[function] = FunctionCall(function, copies, wanted)
        return forward(*args)

    recording.__wrapped__ = forward  # type: ignore[attr-defined]  # its signature
    return recording


def _has_setup(function: Any) -> bool:
    """Whether forward has no context argument."""
    return function.setup_context is not Function.setup_context


def _is_differentiable(one: Any) -> bool:
    return isinstance(one, Tensor) and one.requires_grad and one.dtype in (torch.float32, torch.float64)
