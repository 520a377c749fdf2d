"""What the tests of `shapecheck fix` share: the data files, their head comments, and one way to run the engine."""

from __future__ import annotations

import importlib.util
import itertools
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from shapecheck.fix.engine import fix_source
from shapecheck.fix.model import FileResult, FixOptions, Style
from shapecheck.project.resolve import NameResolver
from shapecheck.project.source import SourceFile

DATA = Path(__file__).resolve().parents[1] / "data" / "fix"
ALL_CODES = frozenset({"untyped-call", "direct-forward"})

_HEAD = re.compile(r"^# (options|tally|requires|python): (.+?)\r?$", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One data file: what goes in, and what must come out."""

    name: str
    path: Path
    expected_path: Path

    @cached_property
    def raw(self) -> bytes:
        return self.path.read_bytes()

    @cached_property
    def expected(self) -> bytes:
        return self.expected_path.read_bytes()

    @cached_property
    def head(self) -> dict[str, str]:
        """The `# key: value` comments on the first five lines."""
        first = b"\n".join(self.raw.split(b"\n")[:5]).decode("latin-1")
        return dict(_HEAD.findall(first))

    @property
    def options(self) -> FixOptions:
        return parse_options(self.head.get("options", ""))

    @property
    def too_new(self) -> bool:
        """Whether the file is in the grammar of a later Python than this one."""
        wanted = self.head.get("python")
        return wanted is not None and sys.version_info < tuple(map(int, wanted.split(".")))

    @property
    def runnable(self) -> bool:
        """Whether this interpreter can import the file."""
        needed = self.head.get("requires")
        return not self.too_new and (needed is None or importlib.util.find_spec(needed) is not None)

    def __str__(self) -> str:
        return self.name


def parse_options(text: str) -> FixOptions:
    """Read the options of a head comment, as on the command line."""
    words = text.split()
    values = dict(itertools.pairwise(words))
    length = values.get("--line-length")
    select = values.get("--select")
    return FixOptions(
        select=frozenset(select.split(",")) if select else ALL_CODES,
        style=Style(values.get("--style", "typing")),
        untyped="--untyped" in words,
        generated="--include-generated" in words,
        line_length=int(length) if length else None,
    )


def change_cases() -> list[Case]:
    found = sorted((DATA / "change").glob("*.in.py"))
    return [Case(p.name[:-6], p, p.with_name(p.name[:-6] + ".out.py")) for p in found]


def keep_cases() -> list[Case]:
    return [Case(p.stem, p, p) for p in sorted((DATA / "keep").glob("*.py"))]


def project_names() -> list[str]:
    return sorted(p.name for p in (DATA / "projects").iterdir())


def project_cases() -> list[Case]:
    cases = []
    for name in project_names():
        root = DATA / "projects" / name
        for path in sorted((root / "in").rglob("*.py")):
            inside = path.relative_to(root / "in")
            cases.append(Case(f"{name}/{inside.as_posix()}", path, root / "out" / inside))
    return cases


def fix_bytes(
    raw: bytes,
    options: FixOptions | None = None,
    path: Path = Path("model.py"),
    project: NameResolver | None = None,
) -> tuple[bytes, FileResult]:
    """Run the engine over `raw`, with nothing else in the project unless one is given."""
    source = SourceFile.from_bytes(raw, path)
    result = fix_source(source, project or NameResolver([path], [path.parent]), options or FixOptions(ALL_CODES))
    return (raw if result.new_text is None else source.encode(result.new_text)), result


def fix_text(text: str, options: FixOptions | None = None) -> str:
    return fix_bytes(text.encode(), options)[0].decode()


def tool(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python tool of this environment as a module; its exit status is the caller's to judge."""
    command = [sys.executable, "-m", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
