"""The files of the stub package, and how to recognize them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from shapecheck.stubs.interpreter import Installed, StubsError, reason
from shapecheck.stubs.patches import PATCHES
from shapecheck.stubs.patching import patched
from shapecheck.stubs.skeleton import skeleton

DIRECTORY = "torch-stubs"
MARKER_FILE = PurePosixPath("py.typed")
MARKER = "partial\n"
MODULE_FILE = PurePosixPath("nn/modules/module.py")
HEADER = "# Written by `shapecheck stubs`"
# `mypy .` checks every file of a project; errors in torch's own files do not concern its author.
_NOTICE = "# Signatures: PyTorch's torch/{} (BSD-3-Clause). Generic classes, HasForward and __call__: shapecheck.\n"
_QUIET = "# ruff: noqa\n# mypy: ignore-errors\n# pyrefly: ignore-errors\n"
_NO_PYTHON = frozenset({"bin", "include", "lib", "share", "__pycache__"})


@dataclass(frozen=True, slots=True)
class StubPackage:
    """A stub package: the torch it is for, and the text of each file by its path inside `torch-stubs`."""

    version: str
    files: dict[PurePosixPath, str]


def make_package(torch: Installed) -> StubPackage:
    """Make the package for an installed torch from the source of that torch.

    Next to our stubs, it contains torch's own `.pyi` files, unchanged except for the header: pyright (seen in 1.1.414)
    looks for every `.pyi` of a package that has a partial stub package only in the latter. Without the copies,
    `nn/parameter.pyi` would be empty, and `torch.device` (from `_C/__init__.pyi`) unknown.
    """
    header = f"{HEADER} for torch {torch.version}"
    files = {MARKER_FILE: MARKER}
    for name in _own_stubs(torch.folder):
        files[name] = f"{header}: a copy of torch's own {name}.\n{_QUIET}" + _text(torch.folder / name)
    stubs: dict[PurePosixPath, Callable[[str], str]] = {MODULE_FILE: skeleton}
    for source, patch in PATCHES.items():
        if (torch.folder / source).is_file():
            stubs[source] = partial(patched, patch=patch)
    for source, make in stubs.items():
        try:
            stub = make(_text(torch.folder / source))
        except (SyntaxError, ValueError) as error:
            raise StubsError(f"{torch.folder / source}: cannot generate a stub: {reason(error)}") from error
        first = f"{header}; `shapecheck stubs --remove` removes it.\n{_NOTICE.format(source)}"
        files[source.with_suffix(".pyi")] = f"{first}{_QUIET}\n{stub}"
    return StubPackage(torch.version, files)


def _own_stubs(folder: Path) -> Iterator[PurePosixPath]:
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _NO_PYTHON)
        for name in sorted(names):
            if name.endswith(".pyi"):
                yield PurePosixPath((Path(root) / name).relative_to(folder).as_posix())


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StubsError(f"{path}: cannot read: {reason(error)}") from error
