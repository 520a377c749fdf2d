"""The classes of modules that a parameter expects, by its name: `encoder_layer` and `TransformerEncoderLayer`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from torch import nn

_SHORTEST_END = 5
"""Letters of a name that may be the end of that of a class."""


def class_for(name: str, target: Any) -> type[nn.Module] | None:
    """The class of the program with the name of a parameter, or else one whose name ends with it; None without one.

    The module of the target comes first, then the other modules of its package that are loaded.
    """
    wanted = name.replace("_", "").lower()
    classes = list(dict.fromkeys(one for one in _classes(target) if one is not target))
    return next(
        (one for one in classes if one.__name__.lower() == wanted),
        next((one for one in classes if len(wanted) >= _SHORTEST_END and one.__name__.lower().endswith(wanted)), None),
    )


def _classes(target: Any) -> Iterator[type[nn.Module]]:
    own = target.__module__
    package = own.partition(".")[0] + "."
    for name in [own, *(one for one in tuple(sys.modules) if one.startswith(package))]:
        for value in tuple(vars(sys.modules.get(name)).values()) if name in sys.modules else ():
            if isinstance(value, type) and issubclass(value, nn.Module) and _is_of_program(value, package):
                yield value


def _is_of_program(kind: type, package: str) -> bool:
    return f"{kind.__module__}.".startswith(package)
