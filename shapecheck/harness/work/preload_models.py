"""Imported once by the fork server if models of libraries run, so that no worker process has to import these."""

from __future__ import annotations

import os
import warnings
from contextlib import suppress
from importlib import import_module

from shapecheck.harness.cases.libraries.table import PRELOADED, stay_offline

stay_offline()
for name in os.environ.get(PRELOADED, "").split():
    with suppress(Exception), warnings.catch_warnings():  # a worker imports it again, and reports the error
        warnings.simplefilter("ignore")
        import_module(name)
