"""`shapecheck init`: write the configuration, the mypy plugin, a pre-commit hook and a CI job."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import click

from shapecheck.cli._command import Command
from shapecheck.cli._doctor.configured import root_of
from shapecheck.cli._errors import print_error, usage_failure
from shapecheck.cli._init.plan import PARTS, FileChange, InitError, plan
from shapecheck.cli._options import diff_option, option, quiet_option
from shapecheck.cli._sources import print_any_character

_EXIT_CODES = {
    0: "The files were written, or nothing was missing.",
    1: "A file would change (--diff), or a file needs a manual change.",
    2: "Cannot run: a file that cannot be read, parsed or written, or an invalid option.",
}


@click.command("init", cls=Command, example="shapecheck init", exit_codes=_EXIT_CODES)
@click.argument(
    "directory", type=click.Path(path_type=Path, exists=True, file_okay=False), default=Path(), metavar="[DIRECTORY]"
)
@option("--without", multiple=True, type=click.Choice(PARTS), group="Selection", help="Leave this out (repeatable).")
@diff_option
@quiet_option
def command(directory: Path, without: tuple[str, ...], diff: bool, quiet: bool) -> None:
    """Write what a project needs: [tool.shapecheck], the mypy plugin, a pre-commit hook and a CI job.

    DIRECTORY is in the project, by default the working directory. What is there already is kept, so that a second run
    changes nothing. The plugin is added if mypy is configured or installed; the job is for GitLab if .gitlab-ci.yml
    exists, otherwise for GitHub.
    """
    print_any_character()
    root = root_of(directory)
    try:
        found = plan(root, without)
    except InitError as error:
        raise usage_failure(error) from error
    if diff:
        sys.stdout.writelines(line for change in found.changes for line in _diff(change))
    else:
        for change in found.changes:
            _write(root, change)
            if not quiet:
                click.echo(f"{change.name}: added {' and '.join(change.added)}")
        if not found.changes and not quiet:
            click.echo("Nothing to add")
    for one in found.manual:
        print_error(one)
    sys.stdout.flush()  # a closed pipe raises here, where click can exit quietly
    raise click.exceptions.Exit(int(bool(found.manual or (diff and found.changes))))


def _write(root: Path, change: FileChange) -> None:
    from shapecheck.project.source import SourceError  # noqa: PLC0415 - not needed for `--help`
    from shapecheck.project.write import write_whole  # noqa: PLC0415

    file = root / change.name
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, change.encoded())
    except (OSError, SourceError) as error:
        raise usage_failure(f"{file}: {getattr(error, 'strerror', None) or error}") from error


def _diff(change: FileChange) -> Iterator[str]:
    before = (change.before or "").splitlines(keepends=True)
    old = change.name if change.before is not None else "/dev/null"
    for line in unified_diff(before, change.after.splitlines(keepends=True), old, change.name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
