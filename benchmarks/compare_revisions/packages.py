"""Pinned public packages: downloaded once with pip, never imported."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PINS = Path(__file__).with_name("packages.txt")


@dataclass(frozen=True, slots=True)
class Package:
    """A distribution at one version."""

    name: str
    version: str

    @property
    def folder(self) -> str:
        """Where it is unpacked, relative to the directory of all packages."""
        return f"{self.name}-{self.version}"

    @property
    def module(self) -> str:
        """The package to import, which all pinned distributions name after themselves."""
        return self.name.replace("-", "_")


def pinned(file: Path = PINS) -> list[Package]:
    """The packages of a requirements file; each line must pin one version."""
    lines = [line.partition("#")[0].strip() for line in file.read_text().splitlines()]
    return [_package(line) for line in lines if line]


def _package(line: str) -> Package:
    name, pin, version = line.partition("==")
    if not pin:
        raise ValueError(f"{line!r} does not pin a version")
    return Package(name.strip(), version.strip())


def fetched(package: Package, folder: Path) -> Path:
    """The unpacked package below `folder`, downloaded unless it is already there.

    Only wheels are accepted, so nothing of the package is executed. Dependencies are not needed to check it.
    """
    target = folder / package.folder
    if target.is_dir():
        return target
    partial = folder / f"{package.folder}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.parent.mkdir(parents=True, exist_ok=True)
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile", "--only-binary", ":all:")
    requirement = f"{package.name}=={package.version}"
    pip = [sys.executable, "-m", "pip", "install", *options, "--target", str(partial), requirement]
    subprocess.run(pip, check=True, stdin=subprocess.DEVNULL)
    partial.rename(target)
    return target
