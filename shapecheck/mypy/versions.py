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
    """What pip has to install."""
    oldest, untested = (".".join(map(str, version)) for version in (OLDEST, UNTESTED))
    return f"mypy>={oldest},<{untested}"


class Disabled(Plugin):
    """Leaves everything to mypy."""


def is_supported(version: str) -> bool:
    """Whether the plugin works under this mypy; raises CompileError for one that is too old.

    An old mypy is a mistake in this environment, and stops. A new one may have come with an upgrade of something else:
    mypy has to go on, so the plugin only says that it is disabled, once per run.
    """
    series = tuple(map(int, re.findall(r"\d+", version)[:2]))
    place = f"{version}, from {Path(mypy.__file__).parent}"
    advice = f'pip install "{requirement()}"'
    if series < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise CompileError([f"shapecheck.mypy: error: mypy {oldest} or newer is needed; this is {place}: {advice}"])
    if series < UNTESTED:
        return True
    if "mypy.build_worker" not in sys.modules:  # with `mypy -n`, the process that starts the workers says it
        sys.stderr.write(
            f"shapecheck.mypy: the plugin is disabled, because it was not tested with this mypy, {place}: {advice}\n"
        )
    return False


def register_codes() -> None:
    """Make our codes known to a mypy under which the plugin is disabled, which would refuse `disable_error_code`."""
    with suppress(Exception):  # nothing is known of a newer mypy
        import_module("shapecheck.mypy.codes")
