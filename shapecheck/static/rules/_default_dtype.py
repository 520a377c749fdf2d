"""`torch.set_default_dtype(torch.float64)`: in the files whose code leads there, default dtypes are unknown."""

from __future__ import annotations

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.engine.hooks import AbstractCall, before


@before("dtype-mismatch", "set_default_dtype", "set_default_tensor_type")
def changed(call: AbstractCall) -> Value:
    """Notes that the files of the active calls change the default dtype; the call itself is as usual."""
    for frame in call.run.frames:
        frame.names.loaded.sets_dtype = True
    return None
