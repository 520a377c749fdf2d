"""Switches of a model between two ways to compute the same: gradient checkpointing, fused attention."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from torch import nn

from shapecheck.harness.inputs.specification import attribute

_CHECKPOINTING = re.compile(
    r"(use_)?(grad(ient)?_|activation_)?checkpoint(ing)?(_enabled)?|(use_)?(activation_)?recompute"
)
_ATTENTION = re.compile(r"(use_)?(flash|sdpa|fused)(_attn|_attention)?")
_METHODS = (
    ("gradient_checkpointing_enable", "gradient_checkpointing_disable", ()),
    ("set_grad_checkpointing", "set_grad_checkpointing", (False,)),
)
"""The method that enables it, the one that disables it, and the arguments of the latter."""


@dataclass(frozen=True)
class Switch:
    """name: for messages. turn: sets the other way if True, the first way if False."""

    name: str
    turn: Callable[[bool], None]

    @contextmanager
    def used(self) -> Iterator[bool]:
        """Sets the other way for a while; yields False if the model refuses."""
        try:
            self.turn(True)
            is_enabled = True
        except Exception:  # a base class has the method, but the model does not support it
            is_enabled = False
        try:
            yield is_enabled
        finally:
            self.turn(False) if is_enabled else None


def checkpointing(model: nn.Module) -> list[Switch]:
    """The methods of transformers and timm that enable it, otherwise flags of the modules with a well-known name."""
    found = [
        Switch(f"{enable}()", _by_methods(model, enable, disable, arguments))
        for enable, disable, arguments in _METHODS
        if callable(attribute(model, enable)) and callable(attribute(model, disable))
    ]
    return found or _flags(model, _CHECKPOINTING)


def fused_attention(model: nn.Module) -> list[Switch]:
    """Flags of the modules that choose between fused attention and its formula."""
    return _flags(model, _ATTENTION)


@contextmanager
def without_cache(model: nn.Module) -> Iterator[None]:
    """Sets `config.use_cache` to False: models of transformers drop the cache while they checkpoint."""
    config = attribute(model, "config")
    before = attribute(config, "use_cache")
    if not isinstance(before, bool):
        yield
        return
    config.use_cache = False
    try:
        yield
    finally:
        config.use_cache = before


def _by_methods(model: Any, enable: str, disable: str, arguments: tuple[bool, ...]) -> Callable[[bool], None]:
    def turn(to_other: bool) -> None:
        getattr(model, enable)() if to_other else getattr(model, disable)(*arguments)

    return turn


def _flags(model: nn.Module, names: re.Pattern[str]) -> list[Switch]:
    owners: dict[str, list[nn.Module]] = {}
    for module in model.modules():
        for name, value in vars(module).items():
            if isinstance(value, bool) and names.fullmatch(name.lstrip("_")):
                owners.setdefault(name, []).append(module)
    return [Switch(f"{name}={not vars(held[0])[name]}", _by_flag(name, held)) for name, held in owners.items()]


def _by_flag(name: str, owners: list[nn.Module]) -> Callable[[bool], None]:
    def turn(_: bool) -> None:
        for owner in owners:
            vars(owner)[name] = not vars(owner)[name]

    return turn
