"""The destinations of the report of `shapecheck run`: the terminal, files, TensorBoard."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from shapecheck.cli._output import Files, output_files, require_folder
from shapecheck.harness.requirements import missing_for
from shapecheck.harness.show import FORMATS

if TYPE_CHECKING:
    from shapecheck.harness.results import RunReport


@dataclass(frozen=True)
class Destinations:
    """Files with the form that each is written in, and TensorBoard's folder."""

    files: Files = field(default_factory=Files)
    tensorboard: Path | None = None

    def make_sure(self, printed: str) -> Iterator[str]:
        """Why a report could not be written, or printed in that form: before the work that would be lost."""
        missing = missing_for(dict.fromkeys((printed, *(form for _, form in self.files.forms))))
        if missing is not None:
            yield f"the report cannot be written: {missing}"
        yield from self.files.make_sure()
        if self.tensorboard is not None:
            from shapecheck.harness.show.tensorboard import TensorBoardError, require  # noqa: PLC0415

            try:
                require()
            except TensorBoardError as error:
                yield str(error)
            yield from require_folder(_first_there(self.tensorboard), self.tensorboard)

    def write(self, report: RunReport) -> Iterator[str]:
        """Write all of them; gives what could not be, in words."""
        from shapecheck.harness.show import renderer  # noqa: PLC0415

        yield from self.files.write(lambda form, stream: renderer(form)(report, stream))
        if self.tensorboard is not None:
            from shapecheck.harness.show.tensorboard import TensorBoardError, write  # noqa: PLC0415

            try:
                write(report, self.tensorboard)
            except TensorBoardError as error:
                yield str(error)


def destinations(files: Sequence[Path], tensorboard: Path | None) -> Destinations:
    """Each file in the form that its name tells."""
    return Destinations(output_files(files, FORMATS), tensorboard)


def _first_there(folder: Path) -> Path:
    """A folder, or the nearest above it that is there."""
    return next((one for one in (folder, *folder.absolute().parents) if one.exists()), folder)


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
