"""Where the report of `shapecheck run` goes: the terminal, files, TensorBoard."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck.harness.show import FORMATS

if TYPE_CHECKING:
    from shapecheck.harness.results import Report

_BY_NAME = (
    (".sarif.json", "sarif"),
    (".sarif", "sarif"),
    (".json", "json"),
    (".xml", "junit"),
    (".html", "html"),
    (".htm", "html"),
    (".txt", "text"),
)


@dataclass(frozen=True)
class Destinations:
    """Files with the form that each is written in, and TensorBoard's folder."""

    files: tuple[tuple[Path, str], ...] = ()
    tensorboard: Path | None = None

    def make_sure(self) -> Iterator[str]:
        """Why a report could not be written, before the work is done that it would be lost with."""
        for file, _ in self.files:
            if file.is_dir():
                yield f"{file}: the report cannot be written: it is a folder"
            else:
                yield from _make_sure_of(file.parent, file)
        if self.tensorboard is not None:
            from shapecheck.harness.show.tensorboard import TensorBoardError, require  # noqa: PLC0415

            try:
                require()
            except TensorBoardError as error:
                yield str(error)
            yield from _make_sure_of(_first_there(self.tensorboard), self.tensorboard)

    def write(self, report: Report) -> Iterator[str]:
        """Write all of them; gives what could not be, in words."""
        from shapecheck.harness.show import renderer  # noqa: PLC0415
        from shapecheck.project.source import SourceError  # noqa: PLC0415
        from shapecheck.project.write import write_whole  # noqa: PLC0415

        for file, form in self.files:
            stream = io.StringIO()
            renderer(form)(report, stream)
            try:
                write_whole(file, stream.getvalue().encode("utf-8", "backslashreplace"))
            except SourceError as error:
                yield f"{file}: the report is {error}"
        if self.tensorboard is not None:
            from shapecheck.harness.show.tensorboard import TensorBoardError, write  # noqa: PLC0415

            try:
                write(report, self.tensorboard)
            except TensorBoardError as error:
                yield str(error)


def destinations(files: Sequence[Path], tensorboard: Path | None) -> Destinations:
    """Each file in the form that its name tells."""
    return Destinations(tuple((file, _form(file)) for file in files), tensorboard)


def _form(file: Path) -> str:
    for ending, form in _BY_NAME:
        if file.name.lower().endswith(ending) and form in FORMATS:
            return form
    known = ", ".join(ending for ending, form in _BY_NAME if form in FORMATS)
    raise click.UsageError(f"--output {file}: its name tells no form of report; it can end in {known}")


def _make_sure_of(folder: Path, wanted: Path) -> Iterator[str]:
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = "there is no such folder" if isinstance(error, FileNotFoundError) else error.strerror or error
        yield f"{wanted}: the report cannot be written: {why}"


def _first_there(folder: Path) -> Path:
    """A folder, or the nearest above it that is there."""
    return next((one for one in (folder, *folder.absolute().parents) if one.exists()), folder)


def show(report: Report, form: str, verbose: bool, quiet: bool) -> None:
    """Print the report."""
    from shapecheck.harness.show import renderer  # noqa: PLC0415

    if form == "text" and quiet:
        from shapecheck.diagnostics.render import renderer as findings  # noqa: PLC0415

        findings("text")(report.all_diagnostics(), sys.stdout, {})
    elif form == "text":
        from rich.console import Console  # noqa: PLC0415

        from shapecheck.diagnostics.render.text import wants_colour  # noqa: PLC0415
        from shapecheck.harness.show import terminal  # noqa: PLC0415

        console = Console(file=sys.stdout, no_color=not wants_colour(sys.stdout), highlight=False)
        terminal.show(report, console, verbose)
    else:
        renderer(form)(report, sys.stdout)
