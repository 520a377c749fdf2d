"""Throwaway environments: one with a torch of a few lines, one that shares this one's packages by a .pth file."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import venv
from pathlib import Path

import pytest

MODULE = '''\
from typing import Any, Callable, overload

def _call(self, *args): return None

class Module:
    """Docs."""
    training: bool
    forward: Callable[..., Any] = _call
    __call__: Callable[..., Any] = _call

    def __repr__(self):
        return "x"
'''


class Environment:
    """A virtual environment without packages."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False, symlinks=sys.platform != "win32")
        self.python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        asked = [str(self.python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        self.site_packages = Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip())


def put_torch(site_packages: Path, version: str = "9.9.0") -> None:
    """A torch of three files: enough for the writer, and importing it fails, for the writer must not."""
    folder = site_packages / "torch"
    (folder / "nn" / "modules").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise SystemExit('torch was imported')\n")
    (folder / "version.py").write_text(f"__version__ = '{version}+cpu'\n")
    (folder / "nn" / "modules" / "module.py").write_text(MODULE)
    (folder / "nn" / "parameter.pyi").write_text("class Parameter: ...\n")


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """An environment with the small torch."""
    made = Environment(tmp_path / "environment")
    put_torch(made.site_packages)
    return made


@pytest.fixture(scope="session")
def sharing(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment that has this one's packages, torch among them."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip("torch is not installed")
    made = Environment(tmp_path_factory.mktemp("sharing"))
    (made.site_packages / "shared.pth").write_text(f"{Path(spec.origin).parent.parent}\n")
    return made
