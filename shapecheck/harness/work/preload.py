"""Imported once by the fork server, so that no worker process has to import torch.

It must not use a GPU: a process that has used one cannot be forked.
"""

from __future__ import annotations

import warnings
from contextlib import suppress

with suppress(Exception), warnings.catch_warnings():  # a worker imports it again, and reports the error
    warnings.simplefilter("ignore")  # torch warns where there is no NumPy
    import shapecheck.harness.examine  # noqa: F401
