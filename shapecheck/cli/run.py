"""`shapecheck run`: the options, and the run from targets to exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from shapecheck.cli._command import Command
from shapecheck.cli._errors import usage_failure
from shapecheck.cli._options import (
    exclude_option,
    fail_on_option,
    format_option,
    jobs_option,
    option,
    output_option,
    quiet_option,
)
from shapecheck.cli._run_options import RunArguments, read_arguments, read_device, read_size
from shapecheck.cli._sources import configuration, print_any_character
from shapecheck.harness.show import FORMATS

_EXIT_CODES = {
    0: "No errors or warnings; notes and cases that cannot be built do not count.",
    1: "Errors or warnings, see --fail-on, or a case that exceeded its time or memory.",
    2: "Cannot run: a missing target, a failed import, a named model that cannot be built, an unavailable device, a "
    "report that cannot be written, or an invalid option or configuration.",
}


@click.command("run", cls=Command, example="shapecheck run models/", exit_codes=_EXIT_CODES)
@click.argument("targets", nargs=-1, metavar="[TARGETS]...")
@option("--check", "checks", multiple=True, metavar="NAME[,NAME]", group="Selection", help="Run only these checks.")
@option("--skip", multiple=True, metavar="NAME[,NAME]", group="Selection", help="Skip these checks.")
@exclude_option
@option("--infer", is_flag=True, group="Selection", help="Also run models without annotations; infer them.")
@option(
    "--arg", "constructor_arguments", multiple=True, callback=read_arguments, metavar="NAME=VALUE", group="Selection",
    help="Argument of the constructors or factories, such as layers=2 or config.layers=2.",
)  # fmt: skip
@option("--list", "list_only", is_flag=True, group="Selection", help="List the cases; run none.")
@option(
    "--device", callback=read_device, metavar="DEVICE", group="Execution",
    help="Device to run on: cpu, cuda, cuda:N or fake.  [default: cpu]",
)  # fmt: skip
@option(
    "--seed", type=click.IntRange(min=0), metavar="N", group="Execution",
    help="Seed of the weights and inputs.  [default: 0]",
)  # fmt: skip
@option("--backend", metavar="NAME", group="Execution", help="Backend of torch.compile.  [default: aot_eager]")
@option(
    "--wrap", type=click.Choice(["ddp", "fsdp"]), group="Execution",
    help="Also run the cases wrapped for distributed training.",
)  # fmt: skip
@option(
    "--ranks", type=click.IntRange(min=1), metavar="N", group="Execution",
    help="Also run each case in N processes that communicate by gloo.  [default: 2 with --wrap]",
)  # fmt: skip
@option("--profile", is_flag=True, default=None, group="Execution", help="Also look for copies inside kernels (slow).")
@option("--timed", is_flag=True, default=None, group="Execution", help="Also time the cases and their modules.")
@format_option(list(FORMATS))
@output_option
@option(
    "--against", type=click.Path(path_type=Path), metavar="REPORT", group="Output",
    help="Also show what changed since a JSON report; Markdown then has only what is new.",
)  # fmt: skip
@option(
    "--tensorboard", type=click.Path(path_type=Path), metavar="DIRECTORY", group="Output",
    help="Also write the figures for TensorBoard to DIRECTORY.",
)  # fmt: skip
@fail_on_option
@quiet_option
@option(
    "--verbose", "-v", is_flag=True, group="Output", help="Print every check and module, and the program's own output."
)
@jobs_option("one per core; 1 on a GPU")
@option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", group="Performance",
    help="Time limit of a case.  [default: 120]",
)  # fmt: skip
@option(
    "--memory", callback=read_size, metavar="SIZE", group="Performance",
    help="Memory limit of a case, such as 4GiB.  [default: its share of 80 % of the free memory]",
)  # fmt: skip
def command(targets: tuple[str, ...], **given: Any) -> None:
    """Build models, run them, and report where their behavior contradicts the annotations.

    TARGETS are files, directories, modules, packages and models: models/, models/gpt.py, pkg.models,
    pkg.models.gpt:GPT, timm:resnet18, torchvision:vit_*, hf:BertConfig. Without TARGETS, run the configured `paths`,
    or the working directory. Files are imported, which executes them.
    """
    arguments = RunArguments(**given)
    print_any_character()
    config = configuration(_start(targets))
    _require_packages()
    from shapecheck.cli._running import run_all  # noqa: PLC0415 - its imports are not needed for `--help`

    code = run_all(targets, arguments, config)
    sys.stdout.flush()  # a closed pipe raises here, where click can exit quietly
    raise click.exceptions.Exit(code)


def _require_packages() -> None:
    from shapecheck.harness.requirements import missing_requirements  # noqa: PLC0415

    why = missing_requirements()
    if why is not None:
        raise usage_failure(why)


def _start(targets: Sequence[str]) -> Path:
    first = Path(targets[0].partition(":")[0]) if targets else Path()
    return first if first.exists() else Path.cwd()
