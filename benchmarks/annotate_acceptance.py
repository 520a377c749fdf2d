"""Annotates a copy of a repository in place, and measures what must not change: `--acceptance` of benchmarks.annotate.

The program apart from its annotations, the findings of check, ruff, mypy and pyright, the files after a second
annotate, and one forward under the import hook. mypy checks the bodies of all functions, before and after, since it
skips those without annotations.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.annotate_forwards import FORWARDS
from shapecheck.project.files import find_files

Findings = Counter[tuple[str, str, str]]
"""The file, the code and the message of each finding: annotations move lines."""

_SEPARATOR = "::"
_MYPY_LINE = re.compile(r"(?P<path>[^:]+):\d+: error: (?P<message>.*?)(?:  \[(?P<code>[\w-]+)\])?$")
_LINE_OF_MESSAGE = re.compile(r"\bline \d+|:\d+\b")
_MOST_SHOWN = 12
_WITHOUT_LIBRARIES = "from benchmarks.absent_libraries import replace_absent_libraries\nreplace_absent_libraries()\n"


@dataclass
class Acceptance:
    """The results of one repository: what each check found."""

    changed: int = 0
    problems: dict[str, list[str]] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)

    def lines(self, name: str) -> Iterator[str]:
        """The report: a line for the repository, and one for each problem."""
        results = [f"{check} {len(found) or 'ok'}" for check, found in self.problems.items()]
        results += [f"{check} not run" for check in self.skipped]
        yield f"{name}: {self.changed} files annotated: {', '.join(results)}"
        for check, found in self.problems.items():
            yield from (f"  {check}: {one}" for one in found[:_MOST_SHOWN])
            if len(found) > _MOST_SHOWN:
                yield f"  {check}: {len(found) - _MOST_SHOWN} more"


def acceptance(name: str, path: Path, jobs: int) -> Acceptance:
    """The checks of one repository; `path` may be FOLDER::FILE, which annotates one file of a copy of the folder."""
    folder, _, selected = str(path).partition(_SEPARATOR)
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary) / Path(folder).name
        shutil.copytree(folder, root, ignore=shutil.ignore_patterns("*.pyc", ".git", "*.ipynb"))
        files = [root / selected] if selected else list(find_files([root], (), True).files)
        return _accept(name, root, files, jobs)


def _accept(name: str, root: Path, files: Sequence[Path], jobs: int) -> Acceptance:
    tools = {one: tool for one, tool in TOOLS.items() if one == "check" or _is_installed(one)}
    before = {one: tool(root, files) for one, tool in tools.items()}
    originals = {one: one.read_bytes() for one in files}
    _annotate(root, files, jobs)
    texts = {one: one.read_bytes() for one in files}
    result = Acceptance(sum(texts[one] != originals[one] for one in files))
    result.problems["program"] = [
        str(one.relative_to(root)) for one in files if not same_program(originals[one], texts[one])
    ]
    for one, tool in tools.items():
        found = tool(root, files) - before[one]
        result.problems[one] = [f"{file}: {message} [{code}]" for file, code, message in found.elements()]
    _annotate(root, files, jobs)
    result.problems["second annotate"] = [str(one.relative_to(root)) for one in files if one.read_bytes() != texts[one]]
    for file, content in texts.items():
        file.write_bytes(content)
    if name in FORWARDS:
        result.problems["forward"] = _forward(root, name)
    result.skipped = [*(one for one in TOOLS if one not in tools), *(() if name in FORWARDS else ("forward",))]
    return result


def _is_installed(tool: str) -> bool:
    return shutil.which(tool) is not None


def _annotate(root: Path, files: Sequence[Path], jobs: int) -> None:
    paths = ["."] if len(files) != 1 else [str(files[0].relative_to(root))]
    _run(root, [sys.executable, "-m", "shapecheck", "annotate", "--quiet", "--jobs", str(jobs), *paths])


def _run(root: Path, command: Sequence[str]) -> str:
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    return ran.stdout if ran.stdout or not ran.returncode else ran.stderr


# -- the same program


def same_program(before: bytes, after: bytes) -> bool:
    """Whether two files compile to the same code, without annotations and the imports that only the second has."""
    try:
        old, new = ast.parse(before), ast.parse(after)
    except (SyntaxError, ValueError):
        return before == after
    known = set(_imported(old))
    return set(_imported(new)) >= known and _dump(old, known) == _dump(new, known)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    for one in ast.walk(tree):
        if isinstance(one, (ast.Import, ast.ImportFrom)):
            module = f"{'.' * one.level}{one.module}" if isinstance(one, ast.ImportFrom) else ""
            yield from ((module, name.name, name.asname or "") for name in one.names)


def _dump(tree: ast.Module, known: set[tuple[str, str, str]]) -> str:
    for one in ast.walk(tree):
        if isinstance(one, ast.arg):
            one.annotation = None
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            one.returns = None
    body: list[ast.stmt] = []
    for statement in tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            level = "." * statement.level if isinstance(statement, ast.ImportFrom) else ""
            module = f"{level}{statement.module}" if isinstance(statement, ast.ImportFrom) else ""
            statement.names = [one for one in statement.names if (module, one.name, one.asname or "") in known]
            if not statement.names:
                continue
        body.append(statement)
    tree.body = body
    return ast.dump(tree)


# -- findings of other tools


def _ruff(root: Path, files: Sequence[Path]) -> Findings:
    found = json.loads(
        _run(root, ["ruff", "check", "--isolated", "--no-cache", "--output-format", "json", *_names(files)])
    )
    return Findings((_short(root, one["filename"]), one["code"] or "", one["message"]) for one in found)


def _mypy(root: Path, files: Sequence[Path]) -> Findings:
    options = ["--check-untyped-defs", "--ignore-missing-imports", "--explicit-package-bases", "--namespace-packages"]
    cache = Path(tempfile.gettempdir()) / "shapecheck-acceptance-mypy"
    output = _run(root, ["mypy", *options, "--cache-dir", str(cache), "--no-error-summary", *_names(files)])
    matches = (found for line in output.splitlines() if (found := _MYPY_LINE.match(line)))
    return Findings((_short(root, one["path"]), one["code"] or "", _general(one["message"])) for one in matches)


def _pyright(root: Path, files: Sequence[Path]) -> Findings:
    output = _run(root, ["pyright", "--pythonpath", sys.executable, "--outputjson", *_names(files)])
    errors = [one for one in json.loads(output)["generalDiagnostics"] if one["severity"] == "error"]
    return Findings((_short(root, one["file"]), one.get("rule", ""), _general(one["message"])) for one in errors)


def _check(root: Path, files: Sequence[Path]) -> Findings:
    command = [sys.executable, "-m", "shapecheck", "check", "--no-cache", "--format", "json", "--jobs", "1"]
    found = json.loads(_run(root, [*command, *_names(files)]))["diagnostics"]
    return Findings((_short(root, one["path"]), one["code"], _general(one["message"])) for one in found)


TOOLS: Mapping[str, Callable[[Path, Sequence[Path]], Findings]] = {
    "check": _check,
    "ruff": _ruff,
    "mypy": _mypy,
    "pyright": _pyright,
}


def _names(files: Sequence[Path]) -> list[str]:
    return [str(one) for one in files]


def _short(root: Path, path: str) -> str:
    return os.path.relpath(root / path, root)


def _general(message: str) -> str:
    return _LINE_OF_MESSAGE.sub("line", message).splitlines()[0]


# -- one forward


def _forward(root: Path, name: str) -> list[str]:
    """The last line of the error if the program of a repository fails under the import hook."""
    packages, program = FORWARDS[name]
    start = f"{_WITHOUT_LIBRARIES}import shapecheck\nshapecheck.install_import_hook({packages!r})\n"
    paths = os.pathsep.join((str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")))
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", CUDA_VISIBLE_DEVICES="", PYTHONPATH=paths)
    command = [sys.executable, "-c", f"import sys\nsys.path.insert(0, '.')\n{start}{program}"]
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    return [" ".join(ran.stderr.strip().splitlines()[-3:])] if ran.returncode else []
