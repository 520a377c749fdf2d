"""Containers of layers and of parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.wording import number_of
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import CallError, ShapeError
from shapecheck.spec.presentation import value_text


class _Container(ModuleSpec):
    """Items with names, in order. An item may be unknown."""

    def _put(self, items: Iterable[tuple[str, Any]]) -> None:
        pairs = list(items)
        self.keys_ = tuple(str(name) for name, _ in pairs)
        self.items_ = [item for _, item in pairs]

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Refused: only Sequential can be called."""
        raise CallError("has no forward; call its items")

    def __len__(self) -> int:
        return len(self.items_)


class _List(_Container):
    def __iter__(self) -> Iterator[Any]:
        return iter(self.items_)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            made = copy(self)
            made._put((str(index), item) for index, item in enumerate(self.items_[place]))
            return made
        if isinstance(place, str):
            return self.items_[self.keys_.index(place)]
        return self._at(place)

    def _at(self, place: int) -> Any:
        if not -len(self.items_) <= place < len(self.items_):
            raise ShapeError(
                f"{type(self).name}: index {place} is out of range for {number_of(len(self.items_), 'item')}"
            )
        return self.items_[place]

    def append(self, item: Any) -> Any:
        """Adds an item at the end."""
        return self.extend([item])

    def extend(self, items: Iterable[Any]) -> Any:
        """Adds items at the end."""
        self.items_ = [*self.items_, *items]
        self.keys_ = (*self.keys_, *(str(place) for place in range(len(self.keys_), len(self.items_))))
        return self

    def insert(self, place: int, item: Any) -> Any:
        """Adds an item in front of another one."""
        self.items_ = list(self.items_)
        self.items_.insert(place, item)
        self.keys_ = tuple(map(str, range(len(self.items_))))
        return self

    def __repr__(self) -> str:
        return f"{type(self).name}({len(self)} items)"


class _Dict(_Container):
    def __iter__(self) -> Iterator[str]:
        return iter(self.keys_)

    def __contains__(self, name: object) -> bool:
        return name in self.keys_

    def __getitem__(self, name: str) -> Any:
        if name not in self.keys_:
            raise ShapeError(
                f"{type(self).name}: no item {value_text(name)}; available: {', '.join(self.keys_) or 'none'}"
            )
        return self.items_[self.keys_.index(name)]

    def keys(self) -> Iterable[str]:
        """The names."""
        return self.keys_

    def values(self) -> Iterable[Any]:
        """The items."""
        return tuple(self.items_)

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names with their items."""
        return tuple(zip(self.keys_, self.items_, strict=True))

    def __repr__(self) -> str:
        return f"{type(self).name}({', '.join(self.keys_)})"


@module("nn.Sequential")
class Sequential(_List):
    """Applies its layers one after the other; a message names the layer that refuses its input."""

    def __init__(self, *layers: Any) -> None:
        if len(layers) == 1 and isinstance(layers[0], Mapping):
            self._put(layers[0].items())
        else:
            self._put((str(place), layer) for place, layer in enumerate(layers))
        for name, layer in zip(self.keys_, self.items_, strict=True):
            if not callable(layer) and not isinstance(layer, Unknown):
                raise CallError(f"expected layer {name} to be a module, got {value_text(layer)}")

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return Sequential(dict(zip(self.keys_[place], self.items_[place], strict=True)))
        return super().__getitem__(place)

    def forward(self, input: Tensor | Any) -> Any:
        """Applies its layers one after the other."""
        result = input
        for name, layer in zip(self.keys_, self.items_, strict=True):
            if isinstance(layer, Unknown):
                result = layer
                continue
            try:
                result = layer(result)
            except ShapeError as refused:
                message = str(refused).removeprefix(f"{type(layer).__name__}: ")
                refused.args = (f"layer {name}, {value_text(layer)}: {message}",)
                raise
        return result

    def __repr__(self) -> str:
        return f"Sequential({len(self)} layers)"


@module("nn.ModuleList")
class ModuleList(_List):
    """Layers in a list; it is not called itself."""

    def __init__(self, modules: Iterable[Any] | None = None) -> None:
        self._put((str(place), item) for place, item in enumerate(modules or ()))


@module("nn.ParameterList")
class ParameterList(_List):
    """Parameters in a list; it is not called itself."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        self._put((str(place), item) for place, item in enumerate(values or ()))


@module("nn.ModuleDict")
class ModuleDict(_Dict):
    """Layers by name; it is not called itself."""

    def __init__(self, modules: Any = None) -> None:
        self._put(_pairs(modules))


@module("nn.ParameterDict")
class ParameterDict(_Dict):
    """Parameters by name; it is not called itself."""

    def __init__(self, parameters: Any = None) -> None:
        self._put(_pairs(parameters))


def _pairs(given: Any) -> Iterable[tuple[str, Any]]:
    if given is None:
        return ()
    if isinstance(given, (Mapping, _Dict)):
        return tuple(given.items())
    return tuple((str(name), item) for name, item in given)
