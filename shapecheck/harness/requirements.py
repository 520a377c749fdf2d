"""The packages that running models, and reporting that, needs, checked before any of them is imported: the extra
`torch`.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from importlib import metadata

_INSTALL_COMMAND = 'pip install "shapecheck[torch]"'
OLDEST_TORCH = (2, 4)
REQUIRED_PACKAGES = ("torch", "jaxtyping", "psutil")
"""The packages that running models needs."""
_BY_FORM = {"html": ("jinja2",)}
"""The packages that a form of the report needs."""


def missing_requirements(packages: tuple[str, ...] = REQUIRED_PACKAGES) -> str | None:
    """What is missing or too old, and how to mend it, in one line; None where all is there."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        return f"{' and '.join(missing)} cannot be imported: {_INSTALL_COMMAND}"
    return _too_old()


def missing_for(forms: Iterable[str]) -> str | None:
    """What is missing for a report in these forms, and how to mend it, in one line; None where all is there."""
    packages = tuple(package for form in forms for package in _BY_FORM.get(form, ()))
    return missing_requirements(packages) if packages else None


def _too_old() -> str | None:
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:  # a build of one's own, which says no version before it is imported
        return None
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers is None or (int(numbers[1]), int(numbers[2])) >= OLDEST_TORCH:
        return None
    oldest = ".".join(map(str, OLDEST_TORCH))
    return f"torch {version} is too old, {oldest} is the first that works: {_INSTALL_COMMAND}"
