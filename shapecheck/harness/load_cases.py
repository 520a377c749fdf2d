"""Imports a target in this process, and finds its cases."""

from __future__ import annotations

import importlib
import sys
import types
import warnings
from dataclasses import replace
from pathlib import Path

from shapecheck.harness.cases.build import with_arguments, with_widths
from shapecheck.harness.cases.find import find_cases
from shapecheck.harness.cases.libraries.table import all_libraries, cases_of
from shapecheck.harness.cases.model import Case, Target
from shapecheck.harness.program_packages import packages_of_program
from shapecheck.project.modules import in_folder
from shapecheck.runtime import install_import_hook
from shapecheck.runtime.guards.places import count_as_program
from shapecheck.runtime.hook import install_hook_with_annotations


def load_cases(target: Target) -> list[Case]:
    """The cases of a target. Raises any exception of its import, including SystemExit."""
    if target.library:
        count_as_program(all_libraries()[target.library].package)
        cases = cases_of(target)
    else:
        found = find_cases(_import_module(target), target.configured, target.only, infers=target.infers)
        cases = [with_widths(with_arguments(case, target)) for case in found]
    return [replace(case, found_in=target) for case in cases]


def load_case(target: Target, name: str) -> Case:
    """The case of that name. Raises KeyError if there is none, and any exception of the target's import."""
    if target.library:
        asked = replace(target, only=name.partition(":")[2].partition("[")[0])
    else:
        asked = replace(target, only=target.only or name.rpartition(":")[2].partition("[")[0])
    case = next((one for one in load_cases(asked) if one.name == name), None)
    if case is None:
        raise KeyError(name)
    return case


def prepare_imports(target: Target) -> None:
    """Search the directories of the target for its imports. For a process that runs nothing else."""
    sys.argv = [str(target.file)]  # a module that parses arguments on import must not see those of shapecheck
    sys.path.extend(folder for folder in map(str, target.folders) if folder not in sys.path)


def _import_module(target: Target) -> types.ModuleType:
    """The module of a target; its annotations and those of the program's other modules are checked."""
    if target.module in sys.modules:
        return _loaded(target)
    _search_its_root(target)
    count_as_program(target.module.partition(".")[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a package that another file of it has already imported
        if target.annotated:
            install_hook_with_annotations(packages_of_program(target), target.annotated)
        else:
            install_import_hook(packages_of_program(target))
    return importlib.import_module(target.module)


def _loaded(target: Target) -> types.ModuleType:
    """The module that has its name; an ImportError if that is another file, of Python or a library."""
    module = sys.modules[target.module]
    file = getattr(module, "__file__", None)
    if file is None or not Path(file).samefile(target.file):
        raise ImportError(f"another module has the name {target.module}; rename the file, or move it into a package")
    return module


def _search_its_root(target: Target) -> None:
    """Make imports find the module of the target before another of its name, as in the working directory."""
    root, name = str(target.root), target.module.partition(".")[0]
    searched = sys.path[: sys.path.index(root)] if root in sys.path else sys.path
    if searched is sys.path or any(in_folder(Path(folder), name) for folder in searched):
        sys.path.insert(0, root)
