"""static.kinds: `isinstance` of layers says what torch says."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from torch import nn

from shapecheck.ops import ModuleSpec
from shapecheck.static.domain.external_bases import is_layer
from shapecheck.static.domain.runtime_types import is_instance
from shapecheck.static.domain.values import ExternalReference

LAYERS: dict[str, type[Any]] = {
    name: cls for name, cls in vars(nn).items() if inspect.isclass(cls) and is_layer(f"torch.nn.{name}")
}


@pytest.mark.parametrize("name", sorted(LAYERS))
def test_which_layer_is_which(name: str) -> None:
    layer = type(name, (ModuleSpec,), {"name": name})()
    for other, cls in LAYERS.items():
        verdict = is_instance(layer, ExternalReference(f"torch.nn.{other}"))
        if name.startswith("Lazy"):  # it becomes the other when it is first called
            assert verdict in (None, name == other or None)
        else:
            assert verdict is issubclass(LAYERS[name], cls), other
    assert is_instance(layer, ExternalReference("torch.nn.Module")) is True
    assert is_instance(layer, ExternalReference("torch.nn.modules.batchnorm._BatchNorm")) is None
