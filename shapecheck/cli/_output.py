"""`--output FILE`: additional reports, each in the format that its file extension names."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click

from shapecheck.cli._errors import print_error

_BY_NAME = (
    (".sarif.json", "sarif"),
    (".sarif", "sarif"),
    (".json", "json"),
    (".xml", "junit"),
    (".html", "html"),
    (".htm", "html"),
    (".txt", "text"),
)
Render = Callable[[str, TextIO], object]
"""Writes the report in the form of that name."""


@dataclass(frozen=True)
class Files:
    """Files, each with the form that it is written in."""

    forms: tuple[tuple[Path, str], ...] = ()

    def make_sure(self) -> Iterator[str]:
        """Why a report could not be written, before the work is done that it would be lost with."""
        for file, _ in self.forms:
            if file.is_dir():
                yield f"{file}: the report cannot be written: it is a folder"
            else:
                yield from require_folder(file.parent, file)

    def write(self, render: Render) -> Iterator[str]:
        """Write all of them; gives what could not be, in words."""
        from shapecheck.project.source import SourceError  # noqa: PLC0415
        from shapecheck.project.write import write_whole  # noqa: PLC0415

        for file, form in self.forms:
            stream = io.StringIO()
            render(form, stream)
            try:
                write_whole(file, stream.getvalue().encode("utf-8", "backslashreplace"))
            except SourceError as error:
                yield f"{file}: the report is {error}"


def output_files(named: Sequence[Path], forms: Collection[str]) -> Files:
    """The files in the forms that their names tell; `forms` are those that the command has."""
    return Files(tuple((file, _form(file, forms)) for file in named))


def print_problems(problems: Iterable[str]) -> bool:
    """Say each of them on standard error; whether there were any."""
    all_of_them = list(problems)
    for problem in all_of_them:
        print_error(problem)
    return bool(all_of_them)


def _form(file: Path, forms: Collection[str]) -> str:
    for ending, form in _BY_NAME:
        if file.name.lower().endswith(ending) and form in forms:
            return form
    known = ", ".join(ending for ending, form in _BY_NAME if form in forms)
    raise click.UsageError(f"--output {file}: its name tells no form of report; it can end in {known}")


def require_folder(folder: Path, wanted: Path) -> Iterator[str]:
    """Why nothing can be written into the folder; `wanted` is what is to lie there."""
    import tempfile  # noqa: PLC0415 - 4 ms that a run without a report does not have to spend

    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = "there is no such folder" if isinstance(error, FileNotFoundError) else error.strerror or error
        yield f"{wanted}: the report cannot be written: {why}"
