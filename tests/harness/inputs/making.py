"""Makes a subject of a forward that is written in a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from shapecheck import checked
from shapecheck.harness.cases.declared import Declared
from shapecheck.harness.cases.model import Case
from shapecheck.harness.subject import Subject


def subject(forward: Callable[..., Any], parts: Mapping[str, Any] | None = None, **declared: Any) -> Subject:
    """A model with this forward, its annotations checked. parts: its layers and attributes."""
    kind = type("Model", (nn.Module,), {"forward": checked(forward), "__module__": forward.__module__})
    model: nn.Module = kind()
    for name, part in (parts or {}).items():
        setattr(model, name, part)
    case = Case("test:Model", kind, Path(__file__), 1, Declared(**declared))
    return Subject(case, model.eval(), torch.device("cpu"))
