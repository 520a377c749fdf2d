"""The environment of a project: the directories where the libraries that its code imports are installed.

Nothing is run or imported to find out; an environment is recognized by its files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

_SHARED = ("site-packages", "dist-packages")
_ACTIVE = ("VIRTUAL_ENV", "CONDA_PREFIX")
_USUAL = (".venv", "venv")


def installed_libraries(python: Path | None, root: Path) -> list[Path]:
    """The directories with the libraries that are installed next to a project.

    `python` names an environment, or its interpreter. Without it, these are those of the active environment, else of
    `.venv` or `venv` in `root`, else of the interpreter that runs shapecheck.
    """
    if python is not None:
        return libraries_of(python)
    for name in _ACTIVE:
        if os.environ.get(name):
            return libraries_of(Path(os.environ[name]))
    for name in _USUAL:
        if os.path.isfile(root / name / "pyvenv.cfg"):  # noqa: PTH113 - Path's may raise
            return libraries_of(root / name)
    return [Path(one) for one in sys.path if Path(one).name in _SHARED and os.path.isdir(one)]  # noqa: PTH112


def libraries_of(environment: Path) -> list[Path]:
    """The directories with the libraries of an environment: its directory, its interpreter, or one such directory."""
    path = Path(os.path.abspath(environment))  # noqa: PTH100 - without `..`, but links are kept
    if os.path.isfile(path):  # noqa: PTH113 - an interpreter, usually a link
        path = path.parent.parent
    if path.name in _SHARED or any(one.endswith(".dist-info") for one in _names(path)):
        return [path]
    return list(dict.fromkeys([*_below(path), *_shared_with(path)]))


def _below(path: Path) -> Iterator[Path]:
    """`lib/python3.12/site-packages`, on Windows `Lib/site-packages`; the newest Python first."""
    for lib in ("lib", "lib64", "Lib"):
        versions = sorted((one for one in _names(path / lib) if one.startswith("python")), key=_version, reverse=True)
        for folder in (*(path / lib / one for one in versions), path / lib):
            yield from (folder / one for one in _SHARED if os.path.isdir(folder / one))  # noqa: PTH112


def _version(name: str) -> tuple[int, ...]:
    return tuple(int(one) for one in name.removeprefix("python").split(".") if one.isdigit())


def _shared_with(path: Path) -> Iterator[Path]:
    """Those of the Python that a virtual environment was created with, if it includes them."""
    try:
        lines = (path / "pyvenv.cfg").read_text(errors="replace").splitlines()
    except OSError:
        return
    pairs = (line.partition("=") for line in lines)
    settings = {key.strip(): value.strip() for key, _, value in pairs}
    if settings.get("include-system-site-packages") == "true" and settings.get("home"):
        yield from _below(Path(settings["home"]).parent)


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 - names are enough
    except OSError:
        return []
