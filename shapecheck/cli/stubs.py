"""`shapecheck stubs`: write, check or remove the stub package that types the calls of every nn.Module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from shapecheck.cli._errors import usage_failure

if TYPE_CHECKING:
    from shapecheck.stubs import Installed

_READ_FROM_FOLDER = (
    "pyright reads it from typings/ (elsewhere: set stubPath); "
    "ty with --extra-search-path {folder}; mypy and pyrefly only from --environment"
)
_READ_FROM_ENVIRONMENT = "pyright, mypy, ty and pyrefly read it from there"


@click.command("stubs")
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path("typings"), show_default=True,
    help="Folder of the project that holds stubs.",
)  # fmt: skip
@click.option("--environment", is_flag=True, help="Use the site-packages of the environment that has torch instead.")
@click.option(
    "--python", type=click.Path(path_type=Path, exists=True, dir_okay=False), default=None,
    help="The Python interpreter whose torch is meant.  [default: the one that runs shapecheck]",
)  # fmt: skip
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if what is there is not what would be written.")
@click.option("--remove", "take_back", is_flag=True, help="Remove what this command wrote, and nothing else.")
def command(folder: Path, environment: bool, python: Path | None, check: bool, take_back: bool) -> None:
    """Write a stub package with which type checkers know what calling any nn.Module gives.

    It is made from the source of the torch that is installed, which is not imported. Run the command again
    after an update of torch.
    """
    from shapecheck.stubs import StubsError, find_torch  # noqa: PLC0415

    if check and take_back:
        raise click.UsageError("--check and --remove exclude each other")
    try:
        if take_back:
            _remove(find_torch(python).site_packages if environment else folder, environment)
            return
        torch = find_torch(python)
        _write_or_check(torch, torch.site_packages if environment else folder, environment, check)
    except StubsError as error:
        raise usage_failure(error) from error


def _remove(folder: Path, environment: bool) -> None:
    from shapecheck.stubs import remove  # noqa: PLC0415

    done = remove(folder, keep_folder=environment)
    where = folder / "torch-stubs"
    click.echo(f"removed {where}" if done else f"nothing to remove: there is no {where}")


def _write_or_check(torch: Installed, folder: Path, environment: bool, check: bool) -> None:
    from shapecheck.stubs import State, make_package, state, write  # noqa: PLC0415

    package = make_package(torch)
    found = state(package, folder)
    where = folder / "torch-stubs"
    if check:
        if found is not State.CURRENT:
            click.echo(f"{where}: {found.value}; without --check it is written for torch {package.version}", err=True)
            raise click.exceptions.Exit(1)
        click.echo(f"{where}: up to date for torch {package.version}")
        return
    write(package, folder)
    read = _READ_FROM_ENVIRONMENT if environment else _READ_FROM_FOLDER.format(folder=folder)
    verb = "already up to date" if found is State.CURRENT else "written"
    click.echo(f"{where}: {verb} for torch {package.version}\n{read}")
