"""Four type checkers, their reports as one kind of finding, and what one tree has that another has not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_LINE_NUMBER = re.compile(r"\b(lines?) \d+|:\d+:\d+|\.py:\d+")


@dataclass(frozen=True, slots=True)
class Finding:
    """One error of a checker."""

    file: str
    line: int
    code: str
    message: str

    def key(self) -> tuple[str, str, str]:
        """What stays the same when lines move."""
        return self.file, self.code, _LINE_NUMBER.sub(r"\1 N", self.message)


class CheckerError(Exception):
    """A checker gave no report; the message is the end of its output."""


def check(checker: str, root: Path, files: Sequence[str], cache: Path) -> list[Finding]:
    """All errors of `checker` in `files` (relative to `root`). Settings of the project itself are not read."""
    argv, read = _CHECKERS[checker]
    command = argv(root, cache)
    # Each but pyright takes its files from a response file or the command line; pyright from its settings.
    done = subprocess.run([*command, *files], cwd=root, capture_output=True, text=True, check=False)
    try:
        findings = list(read(done.stdout, root))
    except (ValueError, KeyError) as error:
        tail = (done.stdout[-500:] + done.stderr[-1500:]).strip()
        raise CheckerError(f"{checker} ended with {done.returncode}: {tail}") from error
    if done.returncode and not findings:
        raise CheckerError(f"{checker} ended with {done.returncode}: {done.stderr[-1500:].strip()}")
    return findings


def _mypy(root: Path, cache: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "mypy", "--output=json", "--config-file=", f"--cache-dir={cache}"),
        *("--ignore-missing-imports", "--check-untyped-defs", "--explicit-package-bases"),
        *("--namespace-packages", "--follow-imports=silent"),
    ]


def _read_mypy(output: str, root: Path) -> Iterable[Finding]:
    for line in output.splitlines():
        if not line.startswith("{"):
            raise ValueError(line)
        one = json.loads(line)
        if one["severity"] == "error":
            yield Finding(one["file"], one["line"], one["code"] or "", one["message"])


def _pyright(root: Path, cache: Path) -> list[str]:
    (root / "pyrightconfig.json").write_text("{}\n")
    return ["pyright", "--outputjson", "--pythonpath", sys.executable]


def _read_pyright(output: str, root: Path) -> Iterable[Finding]:
    for one in json.loads(output)["generalDiagnostics"]:
        if one["severity"] == "error":
            file = str(Path(one["file"]).relative_to(root))
            yield Finding(file, one["range"]["start"]["line"] + 1, one.get("rule", ""), one["message"])


def _pyrefly(root: Path, cache: Path) -> list[str]:
    settings = root / "pyrefly.toml"
    settings.write_text('search-path = ["."]\n')
    return [
        *("pyrefly", "check", "--config", str(settings), "--preset=default", "--output-format=json"),
        *("--summary=none", "--python-interpreter-path", sys.executable),
    ]


def _read_pyrefly(output: str, root: Path) -> Iterable[Finding]:
    for one in json.loads(output)["errors"]:
        if one.get("severity", "error") == "error":
            file = root / one["path"]
            yield Finding(str(file.relative_to(root)), one["line"], one["name"], one["description"])


def _ty(root: Path, cache: Path) -> list[str]:
    settings = root / "ty.toml"
    settings.write_text("[rules]\n")
    return [
        *("ty", "check", "--config-file", str(settings), "--project", ".", "--python", sys.executable),
        *("--output-format=gitlab", "--no-progress"),
    ]


def _read_ty(output: str, root: Path) -> Iterable[Finding]:
    for one in json.loads(output):
        if one["severity"] in {"major", "critical", "blocker"}:
            place = one["location"]
            file = (root / place["path"]).relative_to(root)
            line = place["positions"]["begin"]["line"]
            yield Finding(str(file), line, one["check_name"], one["description"])


_Argv = Callable[[Path, Path], list[str]]
_Read = Callable[[str, Path], Iterable[Finding]]
_CHECKERS: dict[str, tuple[_Argv, _Read]] = {
    "mypy": (_mypy, _read_mypy),
    "pyright": (_pyright, _read_pyright),
    "pyrefly": (_pyrefly, _read_pyrefly),
    "ty": (_ty, _read_ty),
}
CHECKERS = tuple(_CHECKERS)


def more(before: Iterable[Finding], after: Sequence[Finding]) -> list[Finding]:
    """Findings of `after` beyond those of `before`, compared as multisets that do not look at line numbers."""
    left = Counter(finding.key() for finding in before)
    found = []
    for finding in after:
        if left[finding.key()]:
            left[finding.key()] -= 1
        else:
            found.append(finding)
    return found


def with_source(finding: Finding, root: Path) -> dict[str, Any]:
    """The finding and the line it points to."""
    lines = (root / finding.file).read_text("utf-8", "replace").splitlines()
    source = lines[finding.line - 1].strip() if 0 < finding.line <= len(lines) else ""
    return {**asdict(finding), "source": source}
