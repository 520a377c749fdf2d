"""The packages that front ends need: which are installed, in which versions, and how to install the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

from shapecheck.cli._distribution import DISTRIBUTION

Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Package:
    """A package with the range of versions of pyproject.toml, which a test compares.

    extra: the extra that installs it; "" for the core, None where it is installed by its own name.
    """

    name: str
    extra: str | None
    oldest: Version
    below: Version | None = None

    @property
    def is_installed(self) -> bool:
        """Whether it can be found; it is not imported."""
        try:
            found = find_spec(self.name)
            return found is not None and found.origin is not None  # a directory of that name has none
        except ValueError:  # a module without a specification, in sys.modules
            return False

    @property
    def version(self) -> str | None:
        """The installed version, if its metadata is there."""
        try:
            return metadata.version(self.name)
        except metadata.PackageNotFoundError:
            return None

    @property
    def absence(self) -> str:
        """The problem if it is not installed."""
        return f"{self.name} is not installed"

    def problem(self) -> str | None:
        """Why it cannot be used, in one line; None if it can, or if its version is unknown."""
        if not self.is_installed:
            return self.absence
        version = self.version
        if version is None:
            return None
        found = tuple(map(int, re.findall(r"\d+", version)))
        if found < self.oldest:
            return f"expected {self.name} {_text(self.oldest)} or newer, got {version}"
        if self.below is not None and found[: len(self.below)] >= self.below:
            return f"expected {self.name} older than {_text(self.below)}, got {version}"
        return None


LIBCST = Package("libcst", "", (1, 8))
TORCH = Package("torch", "torch", (2, 4))
JAXTYPING = Package("jaxtyping", "torch", (0, 3))
BEARTYPE = Package("beartype", "torch", (0, 20))
PSUTIL = Package("psutil", "torch", (5, 9))
JINJA2 = Package("jinja2", "torch", (3, 1))
MYPY = Package("mypy", "mypy", (2, 4), (2, 5))
PYGLS = Package("pygls", "lsp", (2, 1), (3,))
LSPROTOCOL = Package("lsprotocol", "lsp", (2025, 0))
PYTEST = Package("pytest", None, ())
PACKAGES = (TORCH, JAXTYPING, BEARTYPE, PSUTIL, JINJA2, MYPY, LIBCST, PYGLS, LSPROTOCOL, PYTEST)


def installation(packages: Iterable[Package]) -> str:
    """The command that installs packages."""
    missing = tuple(packages)
    extras = ",".join(sorted({one.extra for one in missing if one.extra}))
    ours = (
        [f'"{DISTRIBUTION}[{extras}]"' if extras else DISTRIBUTION]
        if any(one.extra is not None for one in missing)
        else []
    )
    return " ".join(["pip install", *ours, *(one.name for one in missing if one.extra is None)])


def _text(version: Version) -> str:
    return ".".join(map(str, version))
