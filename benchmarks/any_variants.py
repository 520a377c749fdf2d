"""Calls of type Any in four variants of one tree: as it is, fixed, with our stub, with our mypy plugin."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

from benchmarks import measure


class AnyCounter:
    """Runs `benchmarks.any_calls` once per variant, each in a process of its own, with one cache of torch each."""

    def __init__(self, caches: Path, scratch: Path) -> None:
        self.caches = caches.resolve()
        self.scratch = scratch
        self.caches.mkdir(parents=True, exist_ok=True)
        self.python_with_stub = self._make_stub_environment()

    def count(self, before: Path, after: Path, files: Sequence[str]) -> dict[str, dict[str, int]]:
        """Counts by variant. `files` are relative to the trees."""
        listing = self.scratch / "files.txt"
        listing.write_text("\n".join(files))
        variants: dict[str, tuple[Path, list[str]]] = {
            "none": (before, ["--cache", str(self.caches / "plain")]),
            "fix": (after, ["--cache", str(self.caches / "plain")]),
        }
        if self.python_with_stub:
            extra = ["--cache", str(self.caches / "stub"), "--python", self.python_with_stub]
            variants["stub"] = (before, extra)
        if (measure.ROOT / "shapecheck" / "mypy").is_dir():
            extra = ["--cache", str(self.caches / "plugin"), "--plugin", "shapecheck.mypy"]
            variants["plugin"] = (before, extra)
        else:
            print("variant plugin left out: there is no shapecheck.mypy")
        return {name: _count(tree, extra, listing) for name, (tree, extra) in variants.items()}

    def _make_stub_environment(self) -> str | None:
        """A Python with our stub in its site-packages, and this one's packages after it; mypy wants it there."""
        folder = self.scratch / "stub-environment"
        venv.create(folder)
        python = folder / "bin" / "python"
        own = _site_packages(sys.executable)
        site_packages = Path(_site_packages(str(python))[0])
        argv = [*measure.SHAPECHECK, "stubs", "--dir", str(site_packages)]
        env = measure.environment()
        done = subprocess.run(argv, cwd=self.scratch, env=env, capture_output=True, text=True, check=False)
        if done.returncode or not (site_packages / "torch-stubs").is_dir():
            reason = (done.stderr.strip().splitlines() or ["no torch-stubs was written"])[-1]
            print(f"variant stub left out: {reason}")
            return None
        (site_packages / "packages.pth").write_text("\n".join(own) + "\n")
        return str(python)


def _site_packages(python: str) -> list[str]:
    """The directories called site-packages on `python`'s path."""
    code = "import json, sys; print(json.dumps(sys.path))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return [name for name in json.loads(done.stdout) if Path(name).name == "site-packages"]


def _count(tree: Path, extra: list[str], listing: Path) -> dict[str, int]:
    argv = [sys.executable, "-m", "benchmarks.any_calls", str(tree), "--files", str(listing), *extra]
    env = measure.environment()
    done = subprocess.run(argv, cwd=measure.ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise subprocess.SubprocessError(f"any_calls {' '.join(extra)}: {done.stderr[-1500:]}")
    counts: dict[str, int] = json.loads(done.stdout)
    return counts
