"""The steps: commands that each print or write JSON, in the order of their value, with the exit codes they may have."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from benchmarks import measure

EXAMPLES = measure.ROOT / "examples"
MODELS = measure.ROOT / "tests" / "harness" / "models"
FILES = ("attention", "plain", "sequences", "vision")
"""Of MODELS: more than 60 small models, some with a planted fault, which every device must find."""
_PYTHON = (sys.executable, "-m")
_FINDINGS = (0, 1)
"""`run` exits with 1 if it has findings, `diff` if there are differences: both are figures here."""


@dataclass(frozen=True)
class Step:
    """A command. needs: packages without which it is skipped; report: what it writes; is_json: it prints JSON."""

    name: str
    command: tuple[str, ...]
    passes: tuple[int, ...] = (0,)
    needs: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    report: Path | None = None
    is_json: bool = False
    gpu_only: bool = False

    def missing(self, device: str) -> str:
        """Why it cannot run here; empty if it can."""
        absent = [one for one in self.needs if find_spec(one) is None]
        if absent:
            return f"not installed: {', '.join(absent)}"
        return "there is no GPU" if self.gpu_only and device == "cpu" else ""


def steps(folder: Path, device: str) -> Iterator[Step]:
    """All steps. folder: for reports of `run`."""
    for name in ("speed", "alignment", "peak memory", "growth", "formats", "graphs", "places"):
        yield _measurement(name, device)
    yield from _runs(folder, device)
    tests = ("pytest", "-q", "-m", "gpu", "-p", "no:cacheprovider")
    yield Step("tests", (*_PYTHON, *tests), needs=("pytest", "hypothesis"), gpu_only=True)
    sanitized = {"TORCH_CUDA_SANITIZER": "1"}
    for name in ("growth", "formats"):
        yield Step(
            f"{name} under the sanitizer", _measurement(name, device).command, environment=sanitized, gpu_only=True
        )
    probe = (*_PYTHON, "benchmarks.harness", "--device", device, "--json", str(folder / "probe.json"))
    yield Step("probe", probe, needs=("torchinfo",), report=folder / "probe.json")


def _measurement(name: str, device: str) -> Step:
    return Step(name, (*_PYTHON, "benchmarks.gpu.measuring", name, device), is_json=True)


def _runs(folder: Path, device: str) -> Iterator[Step]:
    """`run` on the CPU, on the device with its compiler, and without data, and the differences."""
    targets = [str(one) for one in (*sorted(EXAMPLES.glob("*.py")), *(MODELS / f"{name}.py" for name in FILES))]
    run = (*measure.SHAPECHECK, "run", "--quiet", "--fail-on", "error", *targets)
    options = {
        "cpu": ("--skip", "compiled"),
        device: ("--device", device, "--backend", "inductor"),
        "fake": ("--device", "fake"),
    }
    for name, added in options.items():
        report = folder / f"{name}.json"
        yield Step(f"run on {name}", (*run, *added, "-o", str(report)), _FINDINGS, report=report)
    for name in dict.fromkeys((device, "fake")):
        if name != "cpu":
            reports = (str(folder / "cpu.json"), str(folder / f"{name}.json"))
            yield Step(f"cpu and {name}", (*measure.SHAPECHECK, "diff", *reports), _FINDINGS)
