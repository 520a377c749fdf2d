"""`shapecheck run`: the options, and the run from targets to exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from shapecheck.cli._errors import usage_failure
from shapecheck.cli._run_options import RunArguments, read_device, read_size
from shapecheck.cli._sources import configuration, fail_on_option, print_any_character
from shapecheck.harness.show import FORMATS


@click.command("run")
@click.argument("targets", nargs=-1, metavar="[TARGETS]...")
@click.option("--device", callback=read_device, metavar="DEVICE", help="cpu, cuda, cuda:N or fake.  [default: cpu]")
@click.option("--check", "checks", multiple=True, metavar="NAME[,NAME]", help="Only these checks.")
@click.option("--skip", multiple=True, metavar="NAME[,NAME]", help="All checks but these.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out what matches, as in .gitignore.")
@click.option("--list", "list_only", is_flag=True, help="Say which cases there are, and run none.")
@click.option("--format", "output_format", type=click.Choice(list(FORMATS)), help="What is printed.  [default: text]")
@click.option(
    "--output", "-o", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
    help="Write a report too; can be given several times. The name tells the form: .json, .html, .sarif, .xml (JUnit).",
)  # fmt: skip
@fail_on_option
@click.option("--tensorboard", type=click.Path(path_type=Path), metavar="DIR", help="Write figures for TensorBoard.")
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
    help="The most that one case may take.  [default: 120]",
)  # fmt: skip
@click.option(
    "--memory", callback=read_size, metavar="SIZE",
    help="The most that one case may take, as 4GiB.  [default: its share of 80 % of what is free]",
)  # fmt: skip
@click.option("--jobs", "-j", type=click.IntRange(min=1), help="Cases at a time.  [default: one a core; 1 on a GPU]")
@click.option("--seed", type=click.IntRange(min=0), help="Of weights and inputs.  [default: 0]")
@click.option("--backend", metavar="NAME", help="The backend of torch.compile.  [default: aot_eager]")
@click.option("--wrap", type=click.Choice(["ddp", "fsdp"]), help="Run the cases wrapped for distributed training too.")
@click.option("--profile", is_flag=True, default=None, help="Look for copies inside of kernels too; slow.")
@click.option("--timed", is_flag=True, default=None, help="Time the cases and their modules too.")
@click.option("--verbose", "-v", is_flag=True, help="Print every check and module, and what the program printed.")
@click.option("--quiet", "-q", is_flag=True, help="Print findings only.")
def command(targets: tuple[str, ...], **given: Any) -> None:
    """Build annotated models, run them on the device, and report what does not hold.

    TARGETS are files, folders, modules and packages: models/, models/gpt.py, pkg.models, pkg.models.gpt:GPT. None means
    the configured `paths`, else the working folder. Files are imported, and importing runs them.

    Exit code: 0 clean (notes and cases that cannot be built are), 1 errors or warnings, or a case took too long or too
    much memory, 2 could not run: a target is missing, a file cannot be imported, a model that was named cannot be
    built, there is no such device, a report cannot be written.
    """
    arguments = RunArguments(**given)
    print_any_character()
    config = configuration(_start(targets))
    _make_sure_of_packages()
    from shapecheck.cli._running import run_all  # noqa: PLC0415 - what it imports is not needed for `--help`

    code = run_all(targets, arguments, config)
    sys.stdout.flush()  # a closed pipe shows here, where click can end quietly
    raise click.exceptions.Exit(code)


def _make_sure_of_packages() -> None:
    from shapecheck.harness.requirements import missing_requirements  # noqa: PLC0415

    why = missing_requirements()
    if why is not None:
        raise usage_failure(why)


def _start(targets: Sequence[str]) -> Path:
    first = Path(targets[0].partition(":")[0]) if targets else Path()
    return first if first.exists() else Path.cwd()
