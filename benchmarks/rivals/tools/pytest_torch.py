"""pytest-torch with `--torch-model`, its way without test files; told how to build a model, and its inputs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.rivals.tool import Said, Tool, by_file, output

_TOLD = re.compile(r"^# pytest-torch: (.+) (\S+)$", re.MULTILINE)
_FAILED = re.compile(r"^(?:FAILED|ERROR) .*?::(.+)$", re.MULTILINE)


def _check(python: Path, root: Path, files: Sequence[Path]) -> Said:
    return by_file(files, (one for path in files for one in _failures(python, path)))


def _failures(python: Path, path: Path) -> Iterator[tuple[Path, int, str]]:
    source = path.read_text()
    told = _TOLD.search(source)
    if told is None:
        return
    factory = path.with_name(f"{path.stem}_factory.py")
    factory.write_text(f"{source}\n\ndef factory():\n    return {told[1]}\n")
    argv = [str(python), "-m", "pytest", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", "--torch-device=cpu"]
    argv += [f"--torch-model={factory.name}:factory", f"--torch-model-inputs={told[2]}"]
    for failure in _FAILED.findall(output(argv, path.parent)):
        yield path, 0, failure.replace(factory.name, path.name)


TOOL = Tool(
    "pytest-torch", _check, ("pytest-torch", "torch", "jaxtyping==0.3.11", "numpy"), runs=True, models_only=True
)
