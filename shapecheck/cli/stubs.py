"""`shapecheck stubs`: write, check or remove the stub package that types calls of every nn.Module."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shapecheck.cli._command import Command
from shapecheck.cli._errors import print_error, usage_failure
from shapecheck.cli._options import check_option, option, quiet_option

if TYPE_CHECKING:
    from shapecheck.stubs import Installed

_READ_FROM_DIRECTORY = (
    "pyright reads typings/ (for another directory, set stubPath); "
    "ty requires --extra-search-path {directory}; mypy and pyrefly require --environment"
)
_READ_FROM_ENVIRONMENT = "pyright, mypy, ty and pyrefly read it there"
_EXIT_CODES = {
    0: "The stub was written, is up to date, or was removed.",
    1: "The stub is missing or out of date (--check).",
    2: "Cannot run: torch is not installed, a file cannot be read or written, or an invalid option.",
}


@dataclass(frozen=True, slots=True)
class _StubsArguments:
    """The command line."""

    directory: Path
    environment: bool
    python: Path | None
    check: bool
    remove: bool
    quiet: bool


@click.command("stubs", cls=Command, example="shapecheck stubs --dir typings", exit_codes=_EXIT_CODES)
@check_option
@option("--remove", is_flag=True, group="Changes", help="Remove the files that this command wrote, and no others.")
@option(
    "--dir", "directory", type=click.Path(path_type=Path, file_okay=False), metavar="DIRECTORY",
    default=Path("typings"), show_default=True, group="Location", help="Directory for the stub package.",
)  # fmt: skip
@option("--environment", is_flag=True, group="Location", help="Write to the site-packages of the environment instead.")
@option(
    "--python", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE", default=None,
    group="Location", help="Python interpreter whose torch to use.  [default: the one that runs shapecheck]",
)  # fmt: skip
@quiet_option
def command(**given: Any) -> None:
    """Write the stub package that gives type checkers the result type of nn.Module calls.

    The stub is generated from the source of the installed torch, which is not imported. Run the command again after
    you update torch.
    """
    arguments = _StubsArguments(**given)
    if arguments.check and arguments.remove:
        raise click.UsageError("--check cannot be used with --remove")
    from shapecheck.stubs import StubsError  # noqa: PLC0415

    try:
        done = _done(arguments)
    except StubsError as error:
        raise usage_failure(error) from error
    if not arguments.quiet:
        click.echo(done)


def _done(given: _StubsArguments) -> str:
    """Do what the options say; return what was done."""
    from shapecheck.stubs import find_torch  # noqa: PLC0415

    if given.remove and not given.environment:
        return _remove(given.directory, given.environment)
    torch = find_torch(given.python)
    directory = torch.site_packages if given.environment else given.directory
    if given.remove:
        return _remove(directory, given.environment)
    return _write_or_check(torch, directory, given.environment, given.check)


def _remove(directory: Path, environment: bool) -> str:
    from shapecheck.stubs import remove  # noqa: PLC0415

    where = directory / "torch-stubs"
    return f"Removed {where}" if remove(directory, keep_directory=environment) else f"{where}: nothing to remove"


def _write_or_check(torch: Installed, directory: Path, environment: bool, check: bool) -> str:
    """Write the package if it differs, or fail with `check`; return what was done."""
    from shapecheck.stubs import State, make_package, state, write  # noqa: PLC0415

    package = make_package(torch)
    found = state(package, directory)
    where = directory / "torch-stubs"
    if check and found is not State.CURRENT:
        print_error(f"{where}: {found.value}; run without --check to write it for torch {package.version}")
        raise click.exceptions.Exit(1)
    current = f"{where}: up to date for torch {package.version}"
    if check:
        return current
    write(package, directory)
    read = _READ_FROM_ENVIRONMENT if environment else _READ_FROM_DIRECTORY.format(directory=directory)
    return f"{current if found is State.CURRENT else f'Wrote {where} for torch {package.version}'}\n{read}"
