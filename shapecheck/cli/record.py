"""`shapecheck record`: runs a command in which the calls of the project's functions are recorded."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import click

from shapecheck.cli._command import Command
from shapecheck.cli._errors import print_error, usage_failure
from shapecheck.cli._options import option, quiet_option
from shapecheck.diagnostics.counts import counted
from shapecheck.record.store import DEFAULT_FILE, RecordError, read_records

_EXIT_CODES = {
    0: "The command ended with 0; otherwise the exit code is that of the command.",
    2: "Cannot run: a missing command, or a data file that cannot be read or written.",
}


@click.command(
    "record", cls=Command, example="shapecheck record -- python train.py", exit_codes=_EXIT_CODES,
    context_settings={"allow_interspersed_args": False},
)  # fmt: skip
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="[--] COMMAND...")
@option(
    "--output", "-o", type=click.Path(path_type=Path), default=Path(DEFAULT_FILE), show_default=True, metavar="FILE",
    group="Output", help="Add the calls to FILE.",
)  # fmt: skip
@quiet_option
def command(command: tuple[str, ...], output: Path, quiet: bool) -> None:
    """Run a command, and record the shapes and dtypes of the calls of your functions.

    COMMAND is `python train.py`, `python -m package`, `torchrun ...` or any other command. The functions in files below
    the working directory are recorded, also in the Python processes that it starts. No values are stored. Several runs
    accumulate in FILE, which `shapecheck annotate --from FILE` reads.
    """
    from shapecheck.record.command import environment, recorded_command  # noqa: PLC0415 - not needed for `--help`

    before = _read(output)
    if output.is_dir() or not output.absolute().parent.is_dir():
        raise usage_failure(f"{output}: cannot write: {'is a directory' if output.is_dir() else 'no such directory'}")
    try:
        code = _run(recorded_command(command), environment(output, Path.cwd(), os.environ))
    except OSError as error:
        raise usage_failure(f"{command[0]}: cannot run: {(error.strerror or str(error)).lower()}") from None
    after = _read(output)
    if after == before:
        print_error("no calls recorded: expected functions with tensors in files below the working directory")
    elif not quiet:
        functions, calls, _ = after
        click.echo(f"{output}: {counted(calls, 'distinct call')} of {counted(functions, 'function')}", err=True)
    raise click.exceptions.Exit(code)


def _run(words: list[str], variables: dict[str, str]) -> int:
    """Runs the command to its end; an interrupt reaches the command itself, so it is waited for."""
    process = subprocess.Popen(words, env=variables)
    while True:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            continue
        return code if code >= 0 else 128 - code


def _read(path: Path) -> tuple[int, int, int]:
    """How many functions a data file has, how many distinct calls, and how many calls."""
    if not path.exists():
        return 0, 0, 0
    try:
        functions = read_records(path)
    except RecordError as error:
        raise usage_failure(error) from None
    total = sum(one.omitted + sum(one.calls.values()) for one in functions)
    return len(functions), sum(len(one.calls) for one in functions), total
