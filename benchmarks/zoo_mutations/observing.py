"""What can be seen of a model from outside, in the ways in which its library offers to use it."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.mutation_runs import close, strides_of, values_of
from benchmarks.zoo_mutations.library_copy import forget
from benchmarks.zoo_mutations.models import Model

_TOKENS = 9
_NOT_THERE = (AttributeError, NotImplementedError, ValueError)
"""What libraries raise if a model cannot be used in that way."""


class NoSuchWay(Exception):
    """The model cannot be used in that way."""


@dataclass(frozen=True)
class Observation:
    """What one use of a model showed, or the name of the exception that ended it."""

    error: str = ""
    results: tuple[tuple[Any, ...], ...] = ()
    """Of each tensor: shape, dtype, strides where they matter, values."""
    gradients: tuple[tuple[str, Any], ...] = ()

    def forms(self) -> tuple[Any, ...]:
        """The rest, if numbers are ignored."""
        return (self.error, *(one[:3] for one in self.results))


@dataclass(frozen=True)
class Observed:
    """All uses of a model, and its state."""

    uses: tuple[Observation, ...] = ()
    state: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    initial: tuple[tuple[float, float, int], ...] = ()
    """The mean, the deviation and the number of the values of each parameter of a new model."""
    ties: frozenset[frozenset[str]] = frozenset()
    error: str = ""


def fixed(built: nn.Module) -> nn.Module:
    """The model; its parameters depend on their names, not on the order in which they were made."""
    for name, parameter in built.named_parameters():
        generator = torch.Generator().manual_seed(zlib.crc32(name.encode()))
        parameter.data = torch.randn(parameter.shape, generator=generator) * 0.3
    return built


def observed(model: Model) -> Observed:
    """For a process that does nothing else: imports the module again."""
    try:
        forget(model.module)
        import_module(model.module)
        new = model.build()
    except Exception as error:
        return Observed(error=type(error).__name__)
    state = {name: tuple(value.shape) for name, value in new.state_dict().items()}
    initial = tuple(_statistics(one) for one in new.parameters())
    return Observed(tuple(_observation(model, fixed(new), way) for way in WAYS), state, initial, _ties(new))


def same(one: Observed, other: Observed) -> bool:
    """Whether nothing observable differs but the last digits of numbers."""
    if (one.error, one.ties, one.state) != (other.error, other.ties, other.state):
        return False
    if not all(_same_draw(a, b) for a, b in zip(one.initial, other.initial, strict=True)):
        return False
    return all(_same(a, b) for a, b in zip(one.uses, other.uses, strict=True))


def _statistics(parameter: Tensor) -> tuple[float, float, int]:
    values = parameter.detach().double()
    return float(values.mean()), float(values.std(correction=0)), values.numel()


def _same_draw(one: tuple[float, float, int], other: tuple[float, float, int]) -> bool:
    """Whether both can be values of one distribution: within six standard errors of the mean and of the deviation."""
    (mean, deviation, number), (other_mean, other_deviation, _) = one, other
    allowed = 6 * max(deviation, other_deviation) / max(number, 1) ** 0.5 + 1e-6
    return abs(mean - other_mean) <= allowed and abs(deviation - other_deviation) <= allowed


def resized(one: Observed, other: Observed) -> bool:
    """Whether it is the same model with other sizes inside: no failure, and all results have their form."""
    forms = [use.forms() for use in one.uses] == [use.forms() for use in other.uses]
    return forms and one.state != other.state and one.state.keys() == other.state.keys()


def _same(one: Observation, other: Observation) -> bool:
    return (
        one.forms() == other.forms()
        and [name for name, _ in one.gradients] == [name for name, _ in other.gradients]
        and all(close(a[3], b[3]) for a, b in zip(one.results, other.results, strict=True))
        and all(close(a, b) for (_, a), (_, b) in zip(one.gradients, other.gradients, strict=True))
    )


def _ties(model: nn.Module) -> frozenset[frozenset[str]]:
    shared: dict[int, set[str]] = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        shared.setdefault(id(parameter), set()).add(name)
    return frozenset(frozenset(names) for names in shared.values() if len(names) > 1)


def _observation(model: Model, new: nn.Module, way: Way) -> Observation:
    torch.manual_seed(0)
    try:
        built = copy.deepcopy(new).train(way in _TRAINING)
        results = list(_tensors(way(model, built)))
        floats = [one for one in results if one.requires_grad]
        if floats:
            torch.autograd.backward([one.double().square().mean() for one in floats])
    except NoSuchWay:
        return Observation("no such way")
    except Exception as error:
        return Observation(type(error).__name__)
    return Observation(
        results=tuple((tuple(one.shape), str(one.dtype), strides_of(one), values_of(one)) for one in results),
        gradients=tuple(
            (name, None if one.grad is None else values_of(one.grad)) for name, one in built.named_parameters()
        ),
    )


def _tensors(value: object) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _tensors(one)
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _tensors(one)


Way = Callable[[Model, nn.Module], Any]


def several(model: Model, built: nn.Module) -> Any:
    """Several items."""
    return model.call(built, 3, _TOKENS)


def single(model: Model, built: nn.Module) -> Any:
    """One item of another length."""
    return model.call(built, 1, _TOKENS + 3)


def training(model: Model, built: nn.Module) -> Any:
    """Training, with dropout."""
    return model.call(built, 2, _TOKENS)


def checkpointed(model: Model, built: nn.Module) -> Any:
    """Training that computes activations again in the backward pass."""
    _switched(built)
    for part in built.modules():
        if isinstance(part, nn.Dropout):
            part.p = 0.0
    return model.call(built, 2, _TOKENS)


def _switched(built: Any) -> None:
    for name, arguments in (("gradient_checkpointing_enable", ()), ("set_grad_checkpointing", (True,))):
        switch = getattr(built, name, None)
        if switch is not None:
            try:
                switch(*arguments)
            except _NOT_THERE as error:
                raise NoSuchWay from error
            return
    raise NoSuchWay


def eager_attention(model: Model, built: Any) -> Any:
    """Attention as the source writes it, without the fused operator."""
    if hasattr(built, "set_attn_implementation"):
        built.set_attn_implementation("eager")
        return model.call(built, 2, _TOKENS)
    parts = [part for part in built.modules() if getattr(part, "fused_attn", False)]
    if not parts:
        raise NoSuchWay
    for part in parts:
        part.fused_attn = False
    return model.call(built, 2, _TOKENS)


def cached(model: Model, built: nn.Module) -> Any:
    """The last tokens after the first."""
    if model.inputs != "text":
        raise NoSuchWay
    ids = torch.randint(3, 20, (2, _TOKENS))
    first: Any = built(input_ids=ids[:, :5], use_cache=True)
    name = next((one for one in ("cache", "past_key_values") if first.get(one) is not None), None)
    if name is None:
        raise NoSuchWay
    return built(input_ids=ids[:, 5:], **{name: first[name]}, use_cache=True).logits


def other_layout(model: Model, built: nn.Module) -> Any:
    """Images whose channels lie next to one another."""
    if model.inputs != "image":
        raise NoSuchWay
    return model.call(built.to(memory_format=torch.channels_last), 2, _TOKENS, layout=torch.channels_last)


WAYS: tuple[Way, ...] = (several, single, training, checkpointed, eager_attention, cached, other_layout)
_TRAINING = (training, checkpointed)
