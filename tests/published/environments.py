"""Virtual environments that hold a wheel and exactly what it declares, without a download.

What the wheel needs is linked from the environment that runs the tests; so what is used and not declared is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement


class Environment:
    """A new virtual environment with the wheel, what the wheel declares for `extras`, and what stands `beside` it.

    What pip has compiled in another environment, `like` this one, is copied, because compiling takes seconds.
    """

    def __init__(
        self, folder: Path, wheel: Path, *extras: str, beside: tuple[str, ...] = (), like: Environment | None = None
    ) -> None:
        self.folder = folder
        venv.create(folder, with_pip=False)
        self.scripts = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.scripts / "python"
        installing = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "--no-deps", "--no-index"]
        subprocess.run([*installing, "--quiet", *(["--no-compile"] if like else []), str(wheel)], check=True)
        [self.site] = self.folder.rglob("site-packages")
        if like:
            shutil.copytree(like.site / "shapecheck", self.site / "shapecheck", dirs_exist_ok=True)
        [installed] = distributions(name="torch-shapecheck", path=[str(self.site)])
        for needed in _closure([*_needs(installed, extras), *map(Requirement, beside)]):
            _link(needed, self.site)

    def run(self, *command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run a program of this environment, and nothing of the one around it."""
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
        }
        program = [str(self.scripts / command[0]), *command[1:]]
        variables["PATH"] = f"{self.scripts}{os.pathsep}{variables['PATH']}"
        return subprocess.run(program, cwd=cwd, env=variables, capture_output=True, text=True, check=False)


def _closure(waiting: list[Requirement]) -> Iterator[Distribution]:
    """What meets these requirements, and theirs."""
    seen = set()
    while waiting:
        requirement = waiting.pop()
        key = (requirement.name, frozenset(requirement.extras))
        if key not in seen:
            seen.add(key)
            found = distribution(requirement.name)
            yield found
            waiting += _needs(found, requirement.extras)


def _needs(one: Distribution, extras: Iterable[str]) -> Iterator[Requirement]:
    for text in one.requires or ():
        requirement = Requirement(text)
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield requirement


def _link(one: Distribution, site: Path) -> None:
    for top in {file.parts[0] for file in one.files or () if file.parts[0] != ".."}:
        if not (site / top).exists():
            (site / top).symlink_to(Path(str(one.locate_file(top))))
