"""Finds the line of the program that defines a layer."""

from __future__ import annotations

import inspect
import re

from torch import nn

from shapecheck.runtime.guards.places import SourceLocation

_DEFINITION = r"\bself\.(?:{0}\b(?:\s*:[^=]+)?\s*=|register_(?:buffer|parameter)\(\s*[\"']{0}[\"'])"


def find_definition(model: nn.Module, path: str) -> tuple[SourceLocation, str] | None:
    """The line of a constructor that assigns the layer, parameter or buffer of that path, and the path of its owner.

    None if no class of the program with source does.
    """
    parts = path.split(".")
    for depth in range(len(parts) - 1, -1, -1):
        owner = model.get_submodule(".".join(parts[:depth]))
        if type(owner).__module__.partition(".")[0] == "torch":
            continue
        try:
            lines, first = inspect.getsourcelines(type(owner))
        except (OSError, TypeError):
            continue
        for offset, line in enumerate(lines):
            if re.search(_DEFINITION.format(parts[depth]), line):
                return SourceLocation(inspect.getsourcefile(type(owner)) or "", first + offset), ".".join(parts[:depth])
    return None
