"""`shapecheck check`: the options, and the run from paths to exit code."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from shapecheck.cli._sources import chosen_codes, code_list, configuration, print_whatever, search, targets
from shapecheck.config import Config
from shapecheck.diagnostics.codes import CHECKS, TROUBLES
from shapecheck.diagnostics.render import FORMATS

_codes = code_list(CHECKS, "check")


@dataclass(frozen=True, slots=True)
class _Given:
    """What the command line says; None where it says nothing and the configuration decides."""

    quiet: bool
    exclude: tuple[str, ...]
    select: frozenset[str] | None = None
    ignore: frozenset[str] | None = None
    output_format: str | None = None


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATHS]...")
@click.option("--select", callback=_codes, metavar="CODE[,CODE]", help="Report these codes only.")
@click.option("--ignore", callback=_codes, metavar="CODE[,CODE]", help="Leave these codes out.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out what matches, as in .gitignore.")
@click.option("--format", "output_format", type=click.Choice(list(FORMATS)), help="Default: text.")
@click.option("--quiet", "-q", is_flag=True, help="Print findings only: no summary.")
def command(paths: tuple[Path, ...], **given: Any) -> None:
    """Find calls that PyTorch would refuse, without running anything.

    PATHS are files and folders; none means the configured `paths`, else the working folder.

    Exit code: 0 clean, 1 findings (a file that does not parse is one), 2 a path is missing or cannot be read.
    `shapecheck explain CODE` says what a finding means.
    """
    print_whatever()
    config = configuration(paths[0] if paths else Path.cwd())
    code = _check(paths, _Given(**given), config)
    sys.stdout.flush()  # a closed pipe shows here, where click can end quietly
    raise click.exceptions.Exit(code)


def _check(paths: Sequence[Path], said: _Given, config: Config) -> int:
    codes = TROUBLES | chosen_codes(said.select, said.ignore, (config.check.select, config.check.ignore), "check")

    from shapecheck.cli._findings import Findings  # noqa: PLC0415 - what follows is not needed for `--help`
    from shapecheck.project.silencing import without_silenced  # noqa: PLC0415
    from shapecheck.static import check  # noqa: PLC0415

    began = time.perf_counter()
    found = search(targets(paths, config), said.exclude, config)
    asked = [diagnostic for diagnostic in check(found.files, codes=codes) if diagnostic.code in codes]
    heard = without_silenced(asked)
    findings = Findings(found, heard, len(asked) - len(heard))
    findings.show(said.output_format or config.format, said.quiet, began)
    return findings.exit_code()
