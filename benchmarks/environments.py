"""Virtual environments of the rivals: one each, created on first use, in a directory that the caller names."""

from __future__ import annotations

import json
import os
import re
import subprocess
import venv
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import ROOT

SECONDS = 900
_LISTED = "import json; from importlib import metadata as m; print(json.dumps([[d.name, d.version] for d in m.distributions()]))"  # noqa: E501


class CannotInstall(Exception):
    """A rival that pip does not install here; the message is pip's reason."""


def python_of(folder: Path, name: str, packages: Sequence[str]) -> Path:
    """The interpreter of environment `name`, with `packages` in it and this repository's torch, if they want one."""
    home = folder.absolute() / name
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    done = home / "installed.json"
    if done.exists() and json.loads(done.read_text()) == list(packages):
        return python
    venv.create(home, with_pip=True, clear=True)
    argv = [str(python), "-m", "pip", "install", "--quiet", "--constraint", str(ROOT / "constraints.txt"), *packages]
    try:
        installed = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise CannotInstall(f"pip did not end within {SECONDS} s") from None
    if installed.returncode:
        raise CannotInstall(_reason(installed.stderr))
    done.write_text(json.dumps(list(packages)))
    return python


def _reason(stderr: str) -> str:
    """The first error of pip, without paths and addresses."""
    errors = [line.removeprefix("ERROR: ") for line in stderr.splitlines() if line.startswith("ERROR: ")]
    said = errors[0] if errors else "pip failed"
    return re.sub(r"(\w+://|/)\S+", "...", said)[:200]


def versions(python: Path, names: Sequence[str]) -> dict[str, str]:
    """Versions of those of `names` that are installed there."""
    argv = [str(python), "-c", _LISTED]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, env={"PATH": os.environ["PATH"]})
    found = {name.lower(): version for name, version in json.loads(done.stdout)}
    return {name: found[name] for name in names if name in found}
