"""The pinned packages of `packages.toml`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

PINS = Path(__file__).with_name("packages.toml")
_Name = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\Z")]
_FileName = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._+-]*\.(tar\.gz|zip|whl)\Z")]


class _Pinned(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What sdists, wheels and repositories have in common."""

    name: _Name
    field: str
    """What the package is for: vision, audio, graphs, ..."""
    quick: bool = False
    """Whether it belongs to the reduced set that CI checks."""


class Archive(_Pinned, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An sdist or wheel of a package index."""

    version: _Name
    file: _FileName
    sha256: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]

    @property
    def folder(self) -> str:
        """The directory with its source; another file of the same version has another one."""
        return f"{self.name}-{self.version}-{self.sha256[:8]}"

    @property
    def origin(self) -> str:
        """What must be reachable to fetch it."""
        return "the package index"

    @property
    def mirror(self) -> str:
        """The setting that names another origin."""
        return "PIP_INDEX_URL"

    @property
    def kind(self) -> Literal["sdist", "wheel"]:
        return "wheel" if self.file.endswith(".whl") else "sdist"


class Repository(_Pinned, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A commit of a git repository, for code that is in no sdist."""

    repository: str
    commit: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{40}\Z")]

    @property
    def version(self) -> str:
        return self.commit[:12]

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.version}"

    @property
    def origin(self) -> str:
        """What must be reachable to fetch it."""
        return urlsplit(self.repository).hostname or self.repository

    @property
    def mirror(self) -> str:
        """The setting that names another origin."""
        return "url.<base>.insteadOf of git"

    @property
    def kind(self) -> Literal["repository"]:
        return "repository"


Package: TypeAlias = Archive | Repository


class _Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    archive: list[Archive] = []
    repository: list[Repository] = []


def pinned(file: Path = PINS) -> list[Package]:
    """The packages of the file, in the order of their names."""
    pins = msgspec.toml.decode(file.read_bytes(), type=_Pins)
    packages: list[Package] = [*pins.archive, *pins.repository]
    packages.sort(key=lambda one: one.name.lower())
    names = [one.name for one in packages]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"pinned twice: {', '.join(sorted(twice))}")
    return packages
