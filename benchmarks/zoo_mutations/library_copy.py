"""A copy of installed libraries in which one file at a time has a mistake."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class LibraryCopy:
    """The directory of packages: their files are links to those that are installed."""

    folder: Path

    def read(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")

    @contextmanager
    def changed(self, path: str, text: str) -> Iterator[Path]:
        """The file with another text, until the block ends."""
        file = self.folder / path
        installed = file.readlink()
        file.unlink()  # never write through a link
        file.write_text(text, encoding="utf-8")
        try:
            yield file
        finally:
            file.unlink()
            file.symlink_to(installed)


def copied(packages: list[str], folder: Path) -> LibraryCopy:
    """The copy, from which this process imports the packages from now on."""
    for name in packages:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(name)
        installed = Path(spec.origin).parent
        shutil.copytree(
            installed, folder / name, copy_function=os.symlink, ignore=shutil.ignore_patterns("__pycache__")
        )
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    return LibraryCopy(folder)


def forget(module: str) -> None:
    """The next import executes the module again: what its library imported before is not the changed file."""
    sys.modules.pop(module, None)
    importlib.invalidate_caches()
