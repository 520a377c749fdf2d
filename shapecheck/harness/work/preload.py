"""Imported once by the fork server, so that no worker process has to import torch.

It must not touch a GPU: what has, cannot be forked.
"""

from __future__ import annotations

import warnings
from contextlib import suppress

with suppress(Exception), warnings.catch_warnings():  # a worker imports it again, and says what is wrong
    warnings.simplefilter("ignore")  # torch warns where there is no NumPy
    import shapecheck.harness.examine  # noqa: F401
