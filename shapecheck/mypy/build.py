"""Finds the build manager of the running mypy, which plugins are not given."""

from __future__ import annotations

import gc

from mypy.build import BuildManager
from mypy.options import Options


def build_of(options: Options) -> BuildManager | None:
    """The build with these options, among all that refers to them."""
    return next((one for one in gc.get_referrers(options) if isinstance(one, BuildManager)), None)
