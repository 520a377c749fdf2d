"""Builds a model with FakeTensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensor,
    FakeTensorMode,
)


def build_with_fake_tensors(build: Callable[[], nn.Module], mode: FakeTensorMode) -> nn.Module:
    """The result of a constructor, its tensors without data. Raises any exception of the constructor.

    A fake parameter cannot change its dtype, so if the constructor does that, it runs on `meta`, and its result is
    converted to fake tensors afterwards. One that reads values of tensors runs with data.
    """
    try:
        with mode, torch.device("cpu"):
            return build()
    except (DataDependentOutputException, DynamicOutputShapeException):  # `linspace(...).tolist()`, `x.unique()`
        model = build()
    except RuntimeError as error:
        if "Couldn't swap" not in str(error):
            raise
        with torch.device("meta"):
            model = build()
    known: dict[int, Tensor] = {}
    for module in model.modules():
        places: tuple[dict[str, Any], ...] = (module._parameters, module._buffers)
        for tensors in places:
            for name, one in tensors.items():
                if one is not None:
                    tensors[name] = known.setdefault(id(one), _fake_of(one, mode))
    return model


def _fake_of(tensor: Tensor, mode: FakeTensorMode) -> Tensor:
    made = FakeTensor(mode, tensor.detach().to("meta"), torch.device("cpu"))
    return nn.Parameter(made, requires_grad=tensor.requires_grad) if isinstance(tensor, nn.Parameter) else made
