"""Imported by the fork server too where models are compiled: a first call of torch.compile takes most of a second.

Not for runs on a GPU, because it may ask the driver which GPU there is.
"""

from __future__ import annotations

import warnings
from contextlib import suppress

with suppress(Exception), warnings.catch_warnings():  # as in `preload`
    warnings.simplefilter("ignore")
    import torch

    _layer = torch.nn.Linear(2, 2)
    # loads what the compiler imports on first use, also for gradients; this backend starts no process and no thread
    torch.compile(_layer, backend="aot_eager")(torch.zeros(2, 2))
    torch.compiler.reset()
