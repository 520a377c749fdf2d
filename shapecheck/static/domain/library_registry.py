"""Registries of libraries: dicts that decorators fill, `@register_model def resnet50(...)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecheck.ops import Unknown
from shapecheck.static.domain.abstract_values import AbstractValue

if TYPE_CHECKING:
    from shapecheck.static.engine.loading import SourceModule


class LibraryRegistry(AbstractValue, Unknown):
    """An empty dict of a library's module that a decorator of the module fills: its items are found by their names.

    Everything else about it is unknown.
    """

    __slots__ = ("loaded",)
    key_slots = ("loaded",)

    def __init__(self, loaded: SourceModule) -> None:
        super().__init__("a registry")
        self.loaded = loaded
