"""`--output FILE`: additional reports, each in the format that its extension selects."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

import click

from shapecheck.cli._errors import print_error

_BY_NAME = (
    (".sarif.json", "sarif"),
    (".sarif", "sarif"),
    ("code-quality-report.json", "gitlab"),
    (".json", "json"),
    (".xml", "junit"),
    (".html", "html"),
    (".htm", "html"),
    (".md", "markdown"),
    (".txt", "text"),
)
Render = Callable[[str, TextIO], object]
"""Writes the report in the format of that name."""


class Files(NamedTuple):
    """Files of reports, each with its format."""

    forms: tuple[tuple[Path, str], ...] = ()

    def problems(self) -> Iterator[str]:
        """Why a report cannot be written, before work that would be lost."""
        for file, _ in self.forms:
            if file.is_dir():
                yield f"{file}: cannot write the report: is a directory"
            else:
                yield from require_directory(file.parent, file)

    def write(self, render: Render) -> Iterator[str]:
        """Write all of them; yield a message for each that cannot be written."""
        from shapecheck.project.source import SourceError  # noqa: PLC0415
        from shapecheck.project.write import write_whole  # noqa: PLC0415

        for file, form in self.forms:
            stream = io.StringIO()
            render(form, stream)
            try:
                write_whole(file, stream.getvalue().encode("utf-8", "backslashreplace"))
            except SourceError as error:
                yield f"{file}: {error}"


def output_files(named: Sequence[Path], forms: Collection[str]) -> Files:
    """The files with the formats that their extensions select; `forms` are the formats of the command."""
    return Files(tuple((file, _form(file, forms)) for file in named))


def print_problems(problems: Iterable[str]) -> bool:
    """Print each of them on standard error; return whether there were any."""
    all_of_them = list(problems)
    for problem in all_of_them:
        print_error(problem)
    return bool(all_of_them)


def _form(file: Path, forms: Collection[str]) -> str:
    for ending, form in _BY_NAME:
        if file.name.lower().endswith(ending) and form in forms:
            return form
    known = ", ".join(ending for ending, form in _BY_NAME if form in forms)
    raise click.UsageError(f"--output {file}: unknown extension; expected one of {known}")


def require_directory(directory: Path, wanted: Path) -> Iterator[str]:
    """Why nothing can be written into the directory; `wanted` is the path to be written there."""
    import tempfile  # noqa: PLC0415 - 4 ms that a run without a report saves

    try:
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        from shapecheck.project.source import reason  # noqa: PLC0415 - not needed for `--help`

        why = "no such directory" if isinstance(error, FileNotFoundError) else reason(error)
        yield f"{wanted}: cannot write the report: {why}"
