"""Runs a model in an ordinary way, and keeps what its expressions were and which functions ran."""

from __future__ import annotations

import ast
import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any

from benchmarks.mutation_runs import Noting, kind_of
from benchmarks.mutators import Place
from benchmarks.zoo_mutations.library_copy import forget
from benchmarks.zoo_mutations.models import Model
from benchmarks.zoo_mutations.observing import WAYS, NoSuchWay, fixed

_NOTE = "__note__"


@dataclass(frozen=True)
class Watched:
    """What a run showed. functions: the first lines of those that ran. classes: those that the model consists of."""

    values: dict[Place, set[object]]
    functions: frozenset[int]
    classes: frozenset[str]


def watched(model: Model, file: str) -> Watched:
    """For a process that does nothing else."""
    values: dict[Place, set[object]] = {}
    functions: set[int] = set()

    def note(where: Place, value: object) -> object:
        values.setdefault(where, set()).add(kind_of(value))
        return value

    def entered(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename == file:
            functions.add(frame.f_code.co_firstlineno)

    setattr(builtins, _NOTE, note)
    forget(model.module)
    sys.meta_path.insert(0, _Finder(model.module, file))
    importlib.import_module(model.module)
    sys.setprofile(entered)
    try:
        built = fixed(model.build()).eval()
        for way in WAYS:
            with suppress(NoSuchWay):
                way(model, built)
    finally:
        sys.setprofile(None)
    used = {base.__name__ for part in built.modules() for base in inspect.getmro(type(part))}
    return Watched(values, frozenset(functions), frozenset(used))


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module, and loads it with its expressions noted."""

    def __init__(self, module: str, file: str) -> None:
        self.module = module
        self.file = file

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.module:
            return None
        return importlib.util.spec_from_file_location(fullname, self.file, loader=_Loader(fullname, self.file))


class _Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> Any:
        tree = Noting().visit(ast.parse(self.get_data(self.path)))
        return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)
