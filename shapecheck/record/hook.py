"""An import hook that instruments the modules of the project."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

from shapecheck.record.instrument import instrumented
from shapecheck.record.project_files import ProjectFiles


class Finder(MetaPathFinder):
    """Finds modules as the other finders do, and instruments those of the project."""

    def __init__(self, files: ProjectFiles) -> None:
        self._files = files

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of the next finder; a loader of plain source is replaced."""
        # Only those after it: another hook may ask all others too.
        for finder in sys.meta_path[sys.meta_path.index(self) + 1 :] if self in sys.meta_path else ():
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                if type(spec.loader) is SourceFileLoader and self._files.has(spec.origin):
                    spec.loader = _Loader(spec.loader.name, spec.loader.path)
                return spec
        return None


class _Loader(SourceFileLoader):
    def path_stats(self, path: str) -> Any:
        # Without them the import system neither reads nor writes bytecode, which would be that of the plain source.
        raise OSError(path)

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> CodeType:  # type: ignore[override]
        return instrumented(data, path, _optimize)
