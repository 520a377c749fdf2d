"""Loading: the files to check and the project modules that they import, each parsed once."""

from __future__ import annotations

import ast
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.diagnostics import Diagnostic
from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.files import absolute, display_path, find_files
from shapecheck.project.garbage import SetAside, collect_dropped_projects, note_parsed
from shapecheck.project.identifiers import Identifiers, root_of
from shapecheck.project.ignore import Chain
from shapecheck.project.importing import ImportFinder, is_outside
from shapecheck.project.libraries import LIBRARY
from shapecheck.project.observed_code import Unobserved, record_observations
from shapecheck.project.parsing import CANNOT_PARSE, parse, syntax_error, unreadable_file, unreadable_path
from shapecheck.project.reads import FileRead, compressed, digest
from shapecheck.project.source import SourceError, SourceFile
from shapecheck.spec.caching import clear_caches
from shapecheck.static.domain.patched_torch import patched_names

if TYPE_CHECKING:
    from shapecheck.static.engine.parsed_files import ParsedFiles

_RELATIVE = lazy_pattern(r"\bfrom[\s\\]*\.")


@dataclass(eq=False, slots=True)
class SourceModule:
    """A parsed module: its file, its dotted name as importers would call it, and its tree."""

    path: Path
    name: str
    tree: ast.Module
    text: str
    is_package: bool
    is_library: bool = False
    """Whether it is a file of an installed library, which is read but not checked."""
    source: SourceFile = field(init=False, repr=False)
    """The text as a source file, for lines and for columns in code points."""
    yields: bool = field(init=False, repr=False)
    """Whether it may define generators."""
    checks_types: bool = field(init=False, repr=False)
    """Whether it may contain `if TYPE_CHECKING`."""
    sets_dtype: bool = field(init=False, repr=False)
    """Whether it may change the default dtype."""
    patches: frozenset[str] = field(init=False, repr=False)
    """The functions, layers and methods of torch that it replaces."""

    def __post_init__(self) -> None:
        self.source = SourceFile(self.path, self.text, display=display_path(self.path))
        self.yields = "yield" in self.text
        self.checks_types = "TYPE_CHECKING" in self.text
        self.sets_dtype = "set_default_dtype" in self.text or "set_default_tensor_type" in self.text
        self.patches = patched_names(self.text)


class Project:
    """The files at and below `paths`, and the modules of the project that they import.

    `roots` are further folders from which absolute imports are resolved, such as that of pyproject.toml; `libraries`
    are those with installed libraries. `parsed` are files that earlier projects with the same roots have parsed.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        exclude: Chain = (),
        respect_gitignore: bool = True,
        roots: Sequence[Path] = (),
        libraries: Sequence[Path] = (),
        parsed: ParsedFiles | None = None,
    ) -> None:
        if collect_dropped_projects():
            clear_caches()
        self.found = find_files(paths, exclude, respect_gitignore)
        self.files: list[Path] = self.found.files
        """The requested files."""
        self.problems: list[Diagnostic] = [
            unreadable_path(display_path(problem.path), problem.message) for problem in self.found.problems
        ]
        """Requested files that cannot be read or parsed; files that are merely imported are not reported."""
        self._requested = {os.path.realpath(path): path for path in self.files}
        folders = [one for path in paths if os.path.isdir(one := absolute(path))]  # noqa: PTH112 - Path's may raise
        inner = [*folders, *(path.parent for path in self.files)]
        self._importing = ImportFinder([*folders, *map(absolute, roots)], inner, libraries)
        self._loaded: dict[str, SourceModule | None] = {}
        self._resolved: dict[tuple[Path, int, str], SourceModule | None] = {}
        self._scripts: dict[Path, bool] = {}
        self._reads: dict[str, FileRead] = {}
        self._newly_read: set[str] = set()
        self._parsed = parsed
        self._set_aside = SetAside()
        self._identifiers: dict[Path, Identifiers] = {}
        self.replaced: dict[str, bytes] = {}
        """The content to use instead of that on disk, by real path: changes that are not written yet."""

    def load(self, path: Path) -> SourceModule | None:
        """The module in a file, parsed the first time; None if it cannot be read or parsed."""
        key = self._importing.real[str(absolute(path))]
        if key not in self._loaded:
            loaded = self._read(self._requested.get(key) or absolute(path), key)
            self._loaded[key] = loaded if isinstance(loaded, SourceModule) else None
            if isinstance(loaded, Diagnostic) and key in self._requested:
                self.problems.append(loaded)
        return self._loaded[key]

    def content(self, path: Path) -> bytes:
        """The content of a file; raises OSError if it cannot be read."""
        key = self._importing.real[str(absolute(path))]
        return self.replaced[key] if key in self.replaced else path.read_bytes()

    def identifiers_around(self, path: Path) -> Identifiers:
        """The names in the files of the repository that a file belongs to."""
        root = root_of(absolute(path))
        if root not in self._identifiers:
            self._identifiers[root] = Identifiers(root, self.content)
        return self._identifiers[root]

    def forget(self, path: Path) -> SourceModule | None:
        """Makes the next `load` of a file read it again; returns the module that was loaded.

        Modules that have imported it keep what they have.
        """
        key = self._importing.real[str(absolute(path))]
        old = self._loaded.pop(key, None)
        self._identifiers.clear()
        if self._parsed is not None:
            self._parsed.drop(key)
        self._resolved = {at: one for at, one in self._resolved.items() if one is not old and at[0] != path}
        self._scripts.pop(path, None)
        return old

    def has_loaded(self, path: Path) -> bool:
        """Whether the module in a file is loaded."""
        return self._loaded.get(self._importing.real[str(absolute(path))]) is not None

    def newly_read(self) -> dict[str, FileRead]:
        """The files read and the imports resolved since the last call, by real path."""
        new = {path: self._reads[path] for path in self._newly_read}
        self._newly_read.clear()
        return new

    def resolve(self, dotted: str, importer: SourceModule, level: int = 0) -> SourceModule | None:
        """The module that `import dotted`, or `from ..dotted import x` with `level` dots, imports in a file.

        None for a module outside the project, one that does not parse, and a folder without `__init__.py`, whose
        modules are resolved by their full names.
        """
        if not level and is_outside(dotted):
            return None
        key = (importer.path, level, dotted)
        if key not in self._resolved:
            self._resolved[key] = self._follow(importer, level, dotted)
        return self._resolved[key]

    @property
    def has_libraries(self) -> bool:
        """Whether the source of installed libraries is read."""
        return bool(self._importing.libraries.folders)

    def is_installed(self, dotted: str) -> bool:
        """Whether a package may be imported in the environment of the libraries."""
        return is_outside(dotted) or self._importing.libraries.has(dotted.partition(".")[0])

    def is_library(self, display: str) -> bool:
        """Whether a finding with this path is in a file of a library."""
        return self._importing.libraries.holds(str(absolute(Path(display))))

    def library_file(self, dotted: str, importer: SourceModule) -> str | None:
        """The file of a module of a library that a file uses; None if it is not installed, or not a library."""
        path = self._importing.find(str(importer.path), dotted, LIBRARY, is_script=False)
        real = self._importing.real
        home = real[str(importer.path)]
        self._reads[home].imports[LIBRARY, dotted] = None if path is None else real[path]
        self._newly_read.add(home)
        if path is not None and real[path] not in self._reads:
            self._record(Path(path), real[path])
        return path

    def observed_by_body(self, loaded: SourceModule, units: set[str]) -> None:
        """Records the functions that the body of a module has observed."""
        key = self._importing.real[str(loaded.path)]
        if units and key in self._reads:
            self._reads[key].observed = frozenset(units)
            self._newly_read.add(key)

    def _record(self, path: Path, key: str) -> None:
        """Records a file that is searched for names and perhaps never parsed."""
        record = self._reads[key] = FileRead(str(path), asked=False, digest="", name=self._importing.name(path))
        self._newly_read.add(key)
        with suppress(OSError):
            record.digest = digest(path.read_bytes())

    def _follow(self, importer: SourceModule, level: int, dotted: str) -> SourceModule | None:
        is_script = not level and self._is_script(importer)
        path = self._importing.find(str(importer.path), dotted, level, is_script)
        real = self._importing.real
        home = real[str(importer.path)]
        self._reads[home].imports[level, dotted] = None if path is None else real[path]
        self._reads[home].is_script |= is_script
        self._newly_read.add(home)
        return None if path is None else self.load(Path(path))

    def _read(self, path: Path, key: str) -> SourceModule | Diagnostic:
        display = display_path(path)
        record = self._reads[key] = FileRead(str(path), key in self._requested, "")
        self._newly_read.add(key)
        try:
            content = self.content(path)
            record.digest = digest(content)
            kept = self._kept(path, key, record.digest)
            if kept is not None:
                record.name = kept.name
                record.source = b"" if kept.is_library else compressed(content)
                return kept
            text = SourceFile.from_bytes(content, path).text
        except (OSError, SourceError) as error:
            return unreadable_file(display, error)
        try:
            tree = parse(text) if self._parsed is None else self._parsed.tree(text)
        except CANNOT_PARSE as error:
            return syntax_error(display, error)
        record.name = self._importing.name(path)
        note_parsed(text)
        self._set_aside()
        is_library = self._is_library(path, key)
        if not is_library:
            record.source = compressed(content)
            record_observations(tree, key)
        loaded = SourceModule(path, record.name, tree, text, path.name == "__init__.py", is_library)
        if self._parsed is not None:
            self._parsed.add(key, record.digest, loaded)
        return loaded

    def _kept(self, path: Path, key: str, content: str) -> SourceModule | None:
        kept = None if self._parsed is None else self._parsed.get(key, content)
        is_same = kept is not None and kept.path == path and kept.is_library == self._is_library(path, key)
        return kept if is_same else None

    def _is_library(self, path: Path, key: str) -> bool:
        return key not in self._requested and self._importing.libraries.holds(str(path))

    def _is_script(self, importer: SourceModule) -> bool:
        """Whether a file may be run as a script, with its folder on `sys.path`: not if it has relative imports."""
        if importer.path not in self._scripts:
            with Unobserved():
                relative = _has_relative_imports(importer)
            self._scripts[importer.path] = not importer.is_package and not relative
        return self._scripts[importer.path]


def _has_relative_imports(module: SourceModule) -> bool:
    """Whether a module imports with `from .`; most trees are not searched, because the text has no such words."""
    if _RELATIVE.search(module.text) is None:
        return False
    nodes = chain(module.tree.body, ast.walk(module.tree))  # most relative imports are at the top
    return any(isinstance(node, ast.ImportFrom) and node.level for node in nodes)
