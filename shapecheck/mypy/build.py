"""What the running mypy reads: its build manager, which plugins are not given, and its search paths."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence

from mypy.build import BuildManager
from mypy.options import Options


def build_of(options: Options) -> BuildManager | None:
    """The build with these options, among all that refers to them."""
    return next((one for one in gc.get_referrers(options) if isinstance(one, BuildManager)), None)


def roots(options: Options, found: Sequence[str]) -> list[str]:
    """Where absolute imports are searched: the directory of pyproject.toml as for `check`, and mypy's search paths.

    These are `found`; if that is empty, the working directory, MYPYPATH and `mypy_path`.
    """
    here = folder = os.getcwd()  # noqa: PTH109 - os.path, because this is part of every start
    while not os.path.isfile(os.path.join(folder, "pyproject.toml")) and folder != os.path.dirname(folder):  # noqa: PTH113, PTH118, PTH120
        folder = os.path.dirname(folder)  # noqa: PTH120
    project = [folder] if os.path.isfile(os.path.join(folder, "pyproject.toml")) else []  # noqa: PTH113, PTH118
    from_environment = [folder for folder in os.environ.get("MYPYPATH", "").split(os.pathsep) if folder]
    return [here, *project, *(found or [*from_environment, *options.mypy_path])]
