"""The packages that are required to run models and to report, checked before any of them is imported: the extra
`torch`.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from importlib import metadata

_INSTALL_COMMAND = 'pip install "torch-shapecheck[torch]"'
OLDEST_TORCH = (2, 4)
REQUIRED_PACKAGES = ("torch", "jaxtyping", "psutil")
"""The packages that are required to run models."""
_BY_FORM = {"html": ("jinja2",)}
"""The packages that a form of the report requires."""


def missing_requirements(packages: tuple[str, ...] = REQUIRED_PACKAGES) -> str | None:
    """What is missing or too old and how to install it, in one line; None if nothing is."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        names = " and ".join(part for part in (", ".join(missing[:-1]), missing[-1]) if part)
        return f"cannot import {names}; run: {_INSTALL_COMMAND}"
    return _too_old()


def missing_for(forms: Iterable[str]) -> str | None:
    """What is missing for a report in these forms and how to install it, in one line; None if nothing is."""
    packages = tuple(package for form in forms for package in _BY_FORM.get(form, ()))
    return missing_requirements(packages) if packages else None


def _too_old() -> str | None:
    try:
        version = metadata.version("torch")
    except metadata.PackageNotFoundError:  # a custom build, whose version is unknown before it is imported
        return None
    numbers = re.match(r"(\d+)\.(\d+)", version)
    if numbers is None or (int(numbers[1]), int(numbers[2])) >= OLDEST_TORCH:
        return None
    oldest = ".".join(map(str, OLDEST_TORCH))
    return f"expected torch {oldest} or newer, got {version}; run: {_INSTALL_COMMAND}"
