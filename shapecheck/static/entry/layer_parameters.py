"""The parameters of the layer of torch that a class derives from, if it inherits its constructor."""

from __future__ import annotations

from inspect import Parameter

from shapecheck.ops import names
from shapecheck.static.domain.class_facts import base_layer
from shapecheck.static.domain.objects import ClassValue

_VARIABLE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def layer_parameters(cls: ClassValue) -> list[Parameter]:
    """The parameters of the constructor of the layer; none if its rule is not known."""
    layer = base_layer(cls)
    entry = None if layer is None else names.find(layer)
    return [] if entry is None else [one for one in entry.signature.parameters.values() if one.kind not in _VARIABLE]
