"""The sizes of a model's own tensors, and those drawn for the axes of its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from shapecheck.harness.inputs.primes import primes


def own_tensors(model: nn.Module) -> Iterator[Tensor]:
    """Weights and buffers that already have a shape."""
    for one in (*model.parameters(), *model.buffers()):
        if not is_lazy(one):
            yield one


def is_lazy_module(model: nn.Module) -> bool:
    """Whether the first inputs determine the shapes of its weights."""
    return any(is_lazy(one) for one in (*model.parameters(), *model.buffers()))


def own_sizes(model: nn.Module) -> frozenset[int]:
    """Every size of a weight or a buffer, and every number among the attributes of the model's modules."""
    found = {size for one in own_tensors(model) for size in one.shape}
    return frozenset(found | {number for module in model.modules() for number in _numbers(vars(module))})


def program_sizes(model: nn.Module) -> frozenset[int]:
    """The numbers among the attributes of modules of the program and of their configurations."""
    found: set[int] = set()
    for module in model.modules():
        if type(module).__module__.partition(".")[0] != "torch":
            held = vars(module)
            found.update(_numbers(held))
            for name in ("config", "cfg", "args"):
                found.update(_numbers(getattr(held.get(name), "__dict__", {})))
    return frozenset(found)


def _numbers(held: Mapping[str, Any]) -> Iterator[int]:
    for value in held.values():
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int) and not isinstance(number, bool) and number > 0:
                yield number


def draw_sizes(
    names: Mapping[str, int | None], known: Mapping[str, int], own: frozenset[int], first: int = 3
) -> dict[str, int]:
    """A size for each name: the known one, otherwise a distinct prime. Runs get their number of axes."""
    draw = primes(own | set(known.values()), first)
    found: dict[str, int] = {}
    for name, axes in names.items():
        if axes is None:
            found[name] = known[name] if name in known else next(draw)
        else:
            found[name] = known.get(name, axes)
            found |= {f"{name}.{axis}": next(draw) for axis in range(found[name])}
    return found
