"""The destinations of the report of `shapecheck run`: the terminal, files, TensorBoard."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.cli._errors import usage_failure
from shapecheck.cli._output import Files, output_files, require_directory
from shapecheck.harness.requirements import missing_for
from shapecheck.harness.show import FORMATS

if TYPE_CHECKING:
    from shapecheck.harness.results import RunReport


@dataclass(frozen=True)
class Destinations:
    """The files of reports with their formats, and the directory for TensorBoard."""

    files: Files = field(default_factory=Files)
    tensorboard: Path | None = None

    def problems(self, printed: str) -> Iterator[str]:
        """Why a report cannot be written, or printed in that format: before work that would be lost."""
        missing = missing_for(dict.fromkeys((printed, *(form for _, form in self.files.forms))))
        if missing is not None:
            yield f"cannot write the report: {missing}"
        yield from self.files.problems()
        if self.tensorboard is not None:
            from shapecheck.harness.show.tensorboard import TensorBoardError, require  # noqa: PLC0415

            try:
                require()
            except TensorBoardError as error:
                yield str(error)
            yield from require_directory(_nearest_existing(self.tensorboard), self.tensorboard)

    def write(self, report: RunReport) -> Iterator[str]:
        """Write all of them; yield a message for each that cannot be written."""
        from shapecheck.harness.show import renderer  # noqa: PLC0415

        yield from self.files.write(lambda form, stream: renderer(form)(report, stream))
        if self.tensorboard is not None:
            from shapecheck.harness.show.tensorboard import TensorBoardError, write  # noqa: PLC0415

            try:
                write(report, self.tensorboard)
            except TensorBoardError as error:
                yield str(error)


def destinations(files: Sequence[Path], tensorboard: Path | None) -> Destinations:
    """Each file with the format that its extension selects."""
    return Destinations(output_files(files, FORMATS), tensorboard)


def _nearest_existing(directory: Path) -> Path:
    """A directory, or the nearest existing one above it."""
    return next((one for one in (directory, *directory.absolute().parents) if one.exists()), directory)


def earlier_report(path: Path) -> RunReport:
    """The report that `shapecheck run --format json` wrote. Ends the command with one line if it is none."""
    from shapecheck.harness.serialization import ReportError, read_report  # noqa: PLC0415

    try:
        return read_report(path)
    except ReportError as error:
        raise usage_failure(error) from error


def show(report: RunReport, form: str, verbose: bool, quiet: bool) -> None:
    """Print the report."""
    from shapecheck.harness.show import renderer  # noqa: PLC0415

    if form == "text" and quiet:
        from shapecheck.diagnostics.render import renderer as findings  # noqa: PLC0415

        findings("text")(report.all_diagnostics(), sys.stdout, {})
    elif form == "text":
        from rich.console import Console  # noqa: PLC0415

        from shapecheck.diagnostics.render.text import wants_colour  # noqa: PLC0415
        from shapecheck.harness.show import terminal  # noqa: PLC0415

        console = Console(file=sys.stdout, force_terminal=wants_colour(sys.stdout), highlight=False)
        terminal.show(report, console, verbose)
    else:
        renderer(form)(report, sys.stdout)
