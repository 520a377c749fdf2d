"""Which files `shapecheck init` changes in a project, and how."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from shapecheck.cli._doctor.configured import configured, mypy_file
from shapecheck.cli._init import ini_edits, toml_edits, yaml_edits
from shapecheck.cli._init.templates import GITHUB

PARTS = ("mypy", "pre-commit", "ci")
"""What can be left out."""
_WORKFLOW = ".github/workflows/shapecheck.yml"
_NOT_CODE = {"tests", "test", "docs", "doc", "examples", "benchmarks", "build", "dist"}
Edit = Callable[[str], "str | None"]


class InitError(Exception):
    """A file cannot be read. The message is one line for the user."""


@dataclass(slots=True)
class FileChange:
    """A file: its text before (None: it does not exist) and after, with "\\n", and what was added to it."""

    name: str
    before: str | None
    after: str
    raw: bytes
    added: list[str]

    def encoded(self) -> bytes:
        """The new content, with the line ends of the old one."""
        text = self.after.replace("\n", "\r\n") if b"\r\n" in self.raw else self.after
        return text.encode()


@dataclass(frozen=True, slots=True)
class Plan:
    """The changed files, and what users have to add themselves, in a line each."""

    changes: list[FileChange]
    manual: list[str]


def plan(root: Path, without: Collection[str]) -> Plan:
    """What is missing in the project; raises InitError."""
    files: dict[str, FileChange] = {}
    manual: list[str] = []
    for name, what, edit in _edits(root, without):
        change = files.get(name) or _read(root, name)
        try:
            after = edit(change.after)
        except ValueError as error:
            raise InitError(f"{root / name}: cannot parse: {' '.join(str(error).split())}") from error
        if after is None:
            manual.append(f"{name}: cannot add {what} to this file; add it by hand")
        elif after != change.after:
            change.after = after
            change.added.append(what)
            files[name] = change
    left_out = [one for one in ("pre-commit", "ci") if one not in without]
    if left_out and _is_inside_a_repository(root):
        manual.append(f"{' and '.join(left_out)}: not configured, because {root} is not the root of its repository")
    return Plan(list(files.values()), manual)


def _edits(root: Path, without: Collection[str]) -> Iterator[tuple[str, str, Edit]]:
    """The file, what it needs, and the edit that adds it."""
    yield "pyproject.toml", "[tool.shapecheck]", lambda text: toml_edits.with_table(text, _paths(root))
    if "mypy" not in without and (file := _file_of_the_plugin(root)):
        edit = toml_edits.with_plugin if file.endswith(".toml") else ini_edits.with_plugin
        yield file, "the mypy plugin", edit
    if _is_inside_a_repository(root):
        return
    if "pre-commit" not in without:
        yield ".pre-commit-config.yaml", "a hook", yaml_edits.with_hook
    if "ci" not in without:
        if (root / ".gitlab-ci.yml").is_file():
            yield ".gitlab-ci.yml", "a job", yaml_edits.with_job
        else:
            yield _WORKFLOW, "a job", lambda text: text or GITHUB


def _is_inside_a_repository(root: Path) -> bool:
    """Whether the repository is that of a directory above."""
    return not (root / ".git").exists() and any((one / ".git").exists() for one in root.absolute().parents)


def _file_of_the_plugin(root: Path) -> str | None:
    """The file that needs the line; None if it has it, or if mypy is neither configured nor installed."""
    file = mypy_file(root)
    if file is None:
        return "pyproject.toml" if find_spec("mypy") is not None else None
    return None if configured(root).get("mypy plugin") == file else file


def _paths(root: Path) -> list[str]:
    """Where the code is: src, or the packages next to pyproject.toml."""
    if (root / "src").is_dir():
        return ["src"]
    packages = sorted(one.parent.name for one in root.glob("*/__init__.py") if one.parent.name not in _NOT_CODE)
    return packages or ["."]


def _read(root: Path, name: str) -> FileChange:
    try:
        raw = (root / name).read_bytes()
        text = raw.decode()
    except FileNotFoundError:
        return FileChange(name, None, "", b"", [])
    except (OSError, ValueError) as error:
        raise InitError(f"{root / name}: cannot read: {getattr(error, 'strerror', None) or error}") from error
    text = text.replace("\r\n", "\n")
    return FileChange(name, text, text, raw, [])
