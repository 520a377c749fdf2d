"""The versions of mypy that the plugin supports, and what it does under any other.

The extra `mypy` in pyproject.toml requires the same range; a test compares the two.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import mypy
from mypy.errors import CompileError
from mypy.plugin import Plugin

OLDEST = (2, 4)
"""The first series that has all the hooks."""
UNTESTED = (2, 5)
"""The first series that the plugin was not tested with."""


def requirement() -> str:
    """The requirement for pip."""
    oldest, untested = (".".join(map(str, version)) for version in (OLDEST, UNTESTED))
    return f"mypy>={oldest},<{untested}"


class Disabled(Plugin):
    """A plugin without hooks."""


def is_supported(version: str) -> bool:
    """Whether the plugin works under this mypy; raises CompileError for one that is too old.

    An old mypy is an error in this environment and ends the run. A new one may come from an unrelated upgrade: mypy has
    to continue, so the plugin only reports that it is disabled, once per run.
    """
    series = tuple(map(int, re.findall(r"\d+", version)[:2]))
    found = f"{version} ({Path(mypy.__file__).parent})"
    advice = f'run pip install "{requirement()}"'
    if series < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise CompileError([f"shapecheck.mypy: error: expected mypy {oldest} or newer, got {found}; {advice}"])
    if series < UNTESTED:
        return True
    if "mypy.build_worker" not in sys.modules:  # with `mypy -n`, the process that starts the workers reports it
        sys.stderr.write(f"shapecheck.mypy: warning: plugin disabled: not tested with mypy {found}; {advice}\n")
    return False


def register_codes() -> None:
    """Registers our codes with a mypy under which the plugin is disabled, so that `disable_error_code` accepts them."""
    with suppress(Exception):  # a newer mypy may differ in any way
        import_module("shapecheck.mypy.codes")
