"""Which files are recorded: the Python files of the project, without those of its environment."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = os.path.join(str(Path(__file__).resolve().parents[1]), "")  # noqa: PTH118 - a prefix with a separator
# as `project.files.DEFAULT_EXCLUDES`, whose import each process of a recorded command would pay for
_EXCLUDED = frozenset(
    """
    .direnv .eggs .nox .tox .venv __pypackages__ node_modules site-packages dist-packages venv _build build dist
    """.split()
)


class ProjectFiles:
    """The files below a directory."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self._prefix = os.path.join(str(self.root), "")  # noqa: PTH118

    def has(self, path: str | None) -> bool:
        """Whether a path is that of a file of the project."""
        if path is None or not path.endswith(".py"):
            return False
        real = os.path.realpath(path)
        if not real.startswith(self._prefix) or real.startswith(_PACKAGE):
            return False
        return _EXCLUDED.isdisjoint(real[len(self._prefix) :].split(os.sep)[:-1])  # noqa: PTH206
