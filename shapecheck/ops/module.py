"""Layers: what a configured `torch.nn` module does to tensor specifications."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, ClassVar, TypeVar

from shapecheck.ops.guard import answer
from shapecheck.ops.registry import Entry, register
from shapecheck.ops.traits import NO_TRAITS, Trait
from shapecheck.spec import DType, TensorSpec, as_dtype

_M = TypeVar("_M", bound="type[ModuleSpec]")


class ModuleSpec:
    """A layer with its configuration, built as torch builds it; call it on TensorSpecs.

    The constructor takes torch's arguments and keeps them, and its parameters as TensorSpecs, under torch's attribute
    names, and raises ShapeError if torch's constructor refuses them.
    """

    entry: ClassVar[Entry]
    name: ClassVar[str]
    open: tuple[str, ...] = ()
    """Attributes that may have any value, including None: what they depend on was unknown."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The layer's result for these arguments; returns and raises as `infer` does."""
        return answer(self.entry, (self, *args), kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The layer's rule."""
        raise NotImplementedError

    def cast(self, dtype: object) -> ModuleSpec:
        """The same layer after `.to(dtype)`: its floating parameters and those of the layers in it have this dtype.

        dtype: a DType, its name, torch's own object, or None if it is unknown.
        """
        dtype = None if dtype is None else as_dtype(dtype)
        changed = copy(self)
        for name, value in vars(self).items():
            setattr(changed, name, _cast(value, dtype))
        return changed

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return f"{type(self).name}(...)"


def module(*names: str, traits: Trait = NO_TRAITS) -> Callable[[_M], _M]:
    """Enters a layer under its name, "nn.Linear", and further names of the same layer."""

    def enter(layer: _M) -> _M:
        layer.name = names[0].rpartition(".")[2]
        layer.entry = Entry(layer.name, layer.forward)
        register(layer, *names, traits=traits)
        return layer

    return enter


def _cast(value: Any, dtype: DType | None) -> Any:
    if isinstance(value, TensorSpec):
        return value.with_dtype(dtype) if value.dtype is not None and value.dtype.is_floating else value
    if isinstance(value, ModuleSpec):
        return value.cast(dtype)
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(item, dtype) for item in value)
    return value
