"""Which of the model's own tensors the operator that failed had among its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from shapecheck.harness.search.call_recorder import tensors_in


class FailedOperator(TorchFunctionMode):
    """Records the parameters and buffers among the arguments of the operator that raised an exception.

    A tensor that is computed from these alone, such as a slice of a table, counts as the ones it is computed from.

    error: that of the operator. operands: paths of parameters and buffers, empty for an argument of the call.
    """

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.error: Exception | None = None
        self.operands: tuple[str, ...] = ()
        own: Mapping[str, Tensor] = dict([*model.named_parameters(), *model.named_buffers()])
        self._origins: dict[int, tuple[str, ...]] = {id(tensor): (path,) for path, tensor in own.items()}
        self._computed: list[Tensor] = []

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Calls the operator unchanged."""
        kwargs = kwargs or {}
        if torch.compiler.is_compiling():
            return func(*args, **kwargs)
        given = list(tensors_in((*args, *kwargs.values())))
        origins = [self._origins.get(id(tensor), ()) for tensor in given]
        paths = tuple(dict.fromkeys(path for origin in origins for path in origin))
        try:
            result = func(*args, **kwargs)
        except Exception as error:
            self.error, self.operands = error, paths
            raise
        for made in tensors_in((result,)) if given and all(origins) else ():
            if id(made) not in self._origins:
                self._origins[id(made)] = paths
                self._computed.append(made)  # its identity must not be reused for another tensor
        return result
