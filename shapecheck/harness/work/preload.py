"""Imported once by the fork server, so that no worker process has to import torch, the checks and the guards' rules.

It must not use a GPU: a process that has used one cannot be forked.
"""

from __future__ import annotations

import warnings
from contextlib import suppress

with suppress(Exception), warnings.catch_warnings():  # a worker imports it again, and reports the error
    warnings.simplefilter("ignore")  # torch warns where there is no NumPy
    import torch

    import shapecheck.harness.examine
    import shapecheck.harness.work.tasks  # noqa: F401
    from shapecheck.harness.checks.table import all_checks
    from shapecheck.runtime.guards import guard

    all_checks()
    with guard():  # loads the rules
        torch.ones(1)
