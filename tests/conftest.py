"""Settings that all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

# Machines that run tests are shared: no test fails for being slow. CI draws the same examples each time.
settings.register_profile("shapecheck", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("shapecheck")
