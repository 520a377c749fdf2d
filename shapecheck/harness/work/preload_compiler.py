"""Imported by the fork server too where cases are compiled: importing the compiler takes longer than a small case.

Not for runs on a GPU, because it may ask the driver which GPU there is.
"""

from __future__ import annotations

import warnings
from contextlib import suppress

with suppress(Exception), warnings.catch_warnings():  # as in `preload`
    warnings.simplefilter("ignore")
    import torch._decomp
    import torch._dynamo
    import torch._functorch.aot_autograd
    import torch._refs
    import torch.fx.experimental.symbolic_shapes

    torch._dynamo.list_backends()  # loads what a first call of torch.compile does
