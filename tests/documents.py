"""Runs the `console` blocks of a document in order, and compares their output with the output that it shows.

A block whose first line is a comment with a path (`# model.py`) is that file from there on; a Markdown page is written
without that line. A `diff` block is applied to the files that it names. In a `console` block, each line that begins
with `$ ` is a command, followed by its output: standard output alone, or standard output and then standard error.
`...` matches anything. A command that names no file of the document is not run, except `shapecheck explain`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests import forked

_BLOCK = re.compile(r"^(?P<fence>`{3,})(?P<kind>[a-z]+)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:#|<!--) (?P<name>[\w./-]+\.(?:py|toml|ini|yml|yaml|json|html|md))(?: -->)?\n")
_SECONDS = 300


@dataclass(frozen=True)
class File:
    """A file as the document shows it."""

    name: str
    text: str


@dataclass(frozen=True)
class Change:
    """A unified diff."""

    text: str


@dataclass(frozen=True)
class Command:
    """A command and the output that the document shows."""

    line: str
    shown: str


Step = File | Change | Command


def steps(document: str) -> list[Step]:
    """The files, changes and commands of a document, in order, without the commands that are not run."""
    found: list[Step] = []
    names: set[str] = set()
    for block in _BLOCK.finditer(document):
        for step in _steps_of_block(block["kind"], block["text"]):
            if isinstance(step, File):
                names.update(_names(step))
            if isinstance(step, Command):
                words = _words(step.line)
                named = not names.isdisjoint(words) or bool(names and "." in words)
                if not named and not step.line.startswith("shapecheck explain "):
                    continue
                names.update(word for word in words if Path(word).suffix)  # what it writes
            found.append(step)
    return found


def shown_commands(document: str) -> list[Command]:
    """All commands, those for the reader included."""
    blocks = _BLOCK.finditer(document)
    return [
        one for block in blocks for one in _steps_of_block(block["kind"], block["text"]) if isinstance(one, Command)
    ]


def commands(document: str) -> list[str]:
    """The commands that are run."""
    return [step.line for step in steps(document) if isinstance(step, Command)]


def _steps_of_block(kind: str, text: str) -> Iterator[Step]:
    named = _FILE.match(text)
    if kind == "console":
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            yield Command(line, shown)
    elif kind == "diff":
        yield Change(text)
    elif named:
        is_page = named["name"].endswith(".md")  # its first line is the head of the page
        yield File(named["name"], text[named.end() :] if is_page else text)


def _names(file: File) -> list[str]:
    """A file and its directories, as a command may name them."""
    folders = [folder.as_posix() for folder in Path(file.name).parents[:-1]]
    return [file.name, *folders, *(f"{folder}/" for folder in folders)]


def _words(line: str) -> list[str]:
    return re.split(r"[\s=:]", line.partition("  #")[0])


def play(document: str, folder: Path, cache: Path) -> None:
    """Do every step in the directory; raise AssertionError at the first command whose output differs."""
    for step in steps(document):
        if isinstance(step, File):
            path = folder / step.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step.text)
        elif isinstance(step, Change):
            applied = run("git apply -p0 --recount -", folder, cache, step.text)
            assert not applied.returncode, f"{applied.stderr}\n{step.text}"
        else:
            done = run(step.line, folder, cache)
            everything = done.stdout + done.stderr
            fits = _fits(done.stdout, step.shown) or _fits(everything, step.shown)
            assert fits, f"$ {step.line}\n{everything}\n--- the document shows\n{step.shown}"


def run(line: str, folder: Path, cache: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run one line of bash in a directory, with the commands of this environment and a cache for mypy."""
    kind = "configured" if (folder / "pyproject.toml").exists() else "plain"  # other plugins invalidate mypy's cache
    settings = {
        "PATH": os.pathsep.join([str(forked.commands()), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "MYPY_CACHE_DIR": str(cache / kind),
        "XDG_CONFIG_HOME": str(cache),  # with the configuration of a user for mypy, if there is one
        "CI": "true",  # mypy waits for all findings
        "PYTHONDONTWRITEBYTECODE": "1",  # files change within a second
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
    }
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env={**os.environ, **settings}, input=given, capture_output=True, text=True,
        check=False, timeout=_SECONDS,
    )  # fmt: skip


def _fits(printed: str, shown: str) -> bool:
    pattern = ".*?".join(re.escape(part) for part in _spaced(shown).split("..."))
    return re.fullmatch(pattern, _spaced(printed), re.DOTALL) is not None


def _spaced(text: str) -> str:
    """With single spaces, because the width of a column depends on numbers that differ from run to run."""
    return re.sub(r"(?<=\S) +", " ", text).rstrip("\n")
