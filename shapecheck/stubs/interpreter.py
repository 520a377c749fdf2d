"""Finds torch and the site-packages directory of a Python environment, without importing torch."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Runs in this process or in another interpreter, so that both answer the same question.
_QUESTION = """
import importlib.util, json, site, sys, sysconfig
sys.path = [entry for entry in sys.path if entry]
spec = importlib.util.find_spec("torch")
places = list(spec.submodule_search_locations or []) if spec else []
folders = list(getattr(site, "getsitepackages", list)())
if getattr(site, "ENABLE_USER_SITE", False):
    folders.append(site.getusersitepackages())
answer = json.dumps({"torch": places, "site": folders, "purelib": sysconfig.get_path("purelib")})
"""


class StubsError(Exception):
    """The stub cannot be generated, written or removed. The message is one line for the user."""


def reason(error: Exception) -> str:
    """Why an operation failed, in one line."""
    text = " ".join(str(getattr(error, "strerror", None) or error).split())
    return text[:1].lower() + text[1:]


@dataclass(frozen=True, slots=True)
class Installed:
    """An installed torch: its directory, its version without a build suffix, and its environment's site-packages."""

    folder: Path
    version: str
    site_packages: Path


def find_torch(python: Path | None = None) -> Installed:
    """Find the torch that `python` (None: this interpreter) would import; raise StubsError if there is none."""
    answer = _ask_here() if python is None else _ask(python)
    whose = sys.executable if python is None else str(python)
    for place in answer["torch"]:
        folder = Path(place)
        if (folder / "nn" / "modules" / "module.py").is_file():
            return Installed(folder, _version(folder), _site_packages(folder, answer))
    hint = "; use --python to name an interpreter that has it" if python is None else ""
    raise StubsError(f"{whose}: torch is not installed{hint}")


def _ask_here() -> dict[str, Any]:
    path = sys.path
    names: dict[str, Any] = {}
    try:
        exec(_QUESTION, names)
    except ValueError:  # find_spec: a partially imported `torch` is in sys.modules
        names["answer"] = '{"torch": []}'
    finally:
        sys.path = path
    return dict(json.loads(names["answer"]))


def _ask(python: Path) -> dict[str, Any]:
    command = [str(python), "-c", _QUESTION + "print(answer)"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        return dict(json.loads(done.stdout.splitlines()[-1]))
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise StubsError(f"{python}: not a working Python interpreter: {type(error).__name__}") from error


def _version(folder: Path) -> str:
    """`2.13.0` from torch/version.py's `__version__ = '2.13.0+cpu'`: the stub is the same for all builds."""
    try:
        tree = ast.parse((folder / "version.py").read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return "unknown"
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name("__version__")], value=ast.Constant(str(version))):
                return version.partition("+")[0]
    return "unknown"


def _site_packages(folder: Path, answer: dict[str, Any]) -> Path:
    """The directory of torch if the environment installs there; else (torch from a .pth file) its site-packages."""
    own = {Path(entry).resolve() for entry in answer["site"]}
    if folder.parent.resolve() in own:
        return folder.parent
    return Path(answer["purelib"])
