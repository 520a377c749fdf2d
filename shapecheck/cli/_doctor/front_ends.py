"""The front ends, what each needs, and which of them work here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from shapecheck.cli._distribution import DISTRIBUTION
from shapecheck.cli._doctor.configured import configured, mypy_file
from shapecheck.cli._doctor.packages import (
    JAXTYPING,
    LIBCST,
    LSPROTOCOL,
    MYPY,
    PSUTIL,
    PYGLS,
    PYTEST,
    TORCH,
    Package,
    installation,
)
from shapecheck.diagnostics.counts import listed

_NEEDS: dict[str, tuple[Package, ...]] = {
    "check": (),
    "fix": (LIBCST,),
    "annotate": (LIBCST,),
    "mypy plugin": (MYPY,),
    "stubs": (TORCH,),
    "checked": (TORCH, JAXTYPING),
    "run": (TORCH, JAXTYPING, PSUTIL),
    "record": (TORCH,),
    "pytest plugin": (PYTEST, TORCH, JAXTYPING, PSUTIL),
    "lsp": (PYGLS, LSPROTOCOL),
}
_ALWAYS = ("check", "fix", "annotate")
"""These need no configuration and no extra."""


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A front end in this environment.

    file: the file that configures it; None if it is not configured. problem and fix: why it does not work and what to
    do, in a line each; None if it works.
    """

    name: str
    file: str | None = None
    problem: str | None = None
    fix: str | None = None

    @property
    def is_expected(self) -> bool:
        """Whether the project needs it, so that a problem with it is an error."""
        return self.file is not None or self.name in _ALWAYS


def front_ends(root: Path) -> list[FrontEnd]:
    """All front ends, for the project in a directory."""
    files = configured(root)
    return [_examined(name, files.get(name), root) for name in _NEEDS]


def _examined(name: str, file: str | None, root: Path) -> FrontEnd:
    problems = {package: found for package in _NEEDS[name] if (found := package.problem())}
    if problems:
        return FrontEnd(name, file, _sentence(problems), f"run: {installation(problems)}")
    if name == "pytest plugin" and not _is_registered():
        return FrontEnd(name, file, "pytest does not know the plugin", f"run: pip install {DISTRIBUTION}")
    if name == "mypy plugin" and file is not None and (first := mypy_file(root)) != file:
        fix = f"write plugins = shapecheck.mypy under [mypy] in {first}"
        return FrontEnd(name, file, f"mypy reads {first} instead of {file}", fix)
    return FrontEnd(name, file)


def _sentence(problems: Mapping[Package, str]) -> str:
    """The problems of packages, those that are not installed together."""
    absent = [package.name for package, problem in problems.items() if problem == package.absence]
    if len(absent) < 2:
        return ", ".join(problems.values())
    others = [problem for package, problem in problems.items() if package.name not in absent]
    return ", ".join([f"{listed(absent)} are not installed", *others])


def _is_registered() -> bool:
    """Whether the metadata of shapecheck is installed, which has the entry point; a source tree on a path has none."""
    return any(one.value == "shapecheck.pytest_plugin" for one in entry_points(group="pytest11"))
