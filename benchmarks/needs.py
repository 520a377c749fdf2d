"""What a benchmark needs in addition to the repository: public source, packages, a GPU."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from benchmarks.registry import Benchmark

_FOLDER = re.compile(r"\{(\w+)\}")
HINTS = {
    "repos": "public repositories: --repos DIRECTORY with",
    "jaxtyping": "--jaxtyping CHECKOUT of jaxtyping",
}


def missing(one: Benchmark, folders: Mapping[str, Path | None]) -> str:
    """Why the benchmark cannot run here, and what to give it; empty where it can."""
    absent = [name for name in one.packages if find_spec(name) is None]
    if absent:
        return f"needs {', '.join(absent)} installed"
    if one.gpu and not _has_gpu():
        return "needs a CUDA device"
    wanted = [argument for argument in one.arguments if not _there(argument, folders)]
    kinds = sorted({kind for argument in wanted for kind in _FOLDER.findall(argument)})
    tails = [tail for argument in wanted if (tail := _FOLDER.sub("", argument).lstrip("/"))]
    return f"needs {' '.join([*(HINTS[kind] for kind in kinds), ', '.join(tails)]).strip()}" if wanted else ""


def _there(argument: str, folders: Mapping[str, Path | None]) -> bool:
    kinds = _FOLDER.findall(argument)
    if not set(kinds) & set(HINTS):
        return True
    return all(folders[kind] is not None for kind in kinds) and Path(filled(argument, folders)).exists()


def filled(argument: str, folders: Mapping[str, Path | None]) -> str:
    """The argument with its folders."""
    return _FOLDER.sub(lambda match: str(folders[match[1]]), argument)


def _has_gpu() -> bool:
    import torch  # noqa: PLC0415 - slow to import, and most benchmarks do not ask

    return torch.cuda.is_available()
