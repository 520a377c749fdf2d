"""The options that several commands share: one definition of each, so that name, metavar and help are the same.

A command applies them in the order of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from shapecheck.cli._command import Option
from shapecheck.cli._errors import did_you_mean
from shapecheck.diagnostics import CODES, FailOn

F = TypeVar("F", bound=Callable[..., Any])

option = partial(click.option, cls=Option)
"""`click.option` with the argument `group`, one of `_command.GROUPS`."""


def codes_options(known: Sequence[str]) -> Callable[[F], F]:
    """`--select` and `--ignore`, which accept the codes `known`."""
    read = _code_list(known)
    select = option(
        "--select", callback=read, metavar="CODE[,CODE]", group="Selection", help="Enable only these codes."
    )
    ignore = option("--ignore", callback=read, metavar="CODE[,CODE]", group="Selection", help="Disable these codes.")
    return lambda command: select(ignore(command))


exclude_option = option(
    "--exclude", multiple=True, metavar="PATTERN", group="Selection",
    help="Exclude files that match this .gitignore pattern (repeatable).",
)  # fmt: skip

_include_generated_option = option(
    "--include-generated/--no-include-generated", default=None, group="Selection",
    help="Also change generated files.  [default: no]",
)  # fmt: skip

_stdin_filename_option = option(
    "--stdin-filename", type=click.Path(path_type=Path), metavar="FILE", group="Selection",
    help="Path of the source on standard input, for imports and messages.",
)  # fmt: skip

check_option = option(
    "--check", is_flag=True, group="Changes", help="Write nothing; exit with code 1 if a file would change."
)

diff_option = option(
    "--diff", is_flag=True, group="Changes", help="Write nothing; print the changes as a unified diff."
)

line_length_option = option(
    "--line-length", type=click.IntRange(min=1), metavar="N", group="Changes",
    help="Maximum line length.  [default: that of black or ruff, or 88]",
)  # fmt: skip


def changing_options(command: F) -> F:
    """The options of a command that changes source files: which files, and whether it writes them."""
    changing = (exclude_option, _include_generated_option, _stdin_filename_option, check_option, diff_option)
    for one in reversed(changing):
        command = one(command)
    return command


def format_option(formats: Sequence[str]) -> Callable[[F], F]:
    """`--format`; None where the configuration or the default decides."""
    return option(
        "--format", "output_format", type=click.Choice(formats), group="Output",
        help="Format of the printed report.  [default: text]",
    )  # fmt: skip


output_option = option(
    "--output", "-o", multiple=True, type=click.Path(path_type=Path), metavar="FILE", group="Output",
    help="Also write a report to FILE (repeatable). Its extension selects the format: .json, .sarif, .xml (JUnit), "
    ".md (Markdown), .txt, code-quality-report.json (GitLab), or .html for run.",
)  # fmt: skip

fail_on_option = option(
    "--fail-on", type=click.Choice([one.value for one in FailOn]), default=FailOn.WARNING.value, show_default=True,
    callback=lambda _ctx, _param, value: FailOn(value), group="Output",
    help="Lowest severity that makes the exit code 1.",
)  # fmt: skip

quiet_option = option("--quiet", "-q", is_flag=True, group="Output", help="Print only findings and errors.")


def jobs_option(default: str = "one per core") -> Callable[[F], F]:
    """`--jobs`; None where the configuration or `default` decides."""
    return option(
        "--jobs", "-j", type=click.IntRange(min=1), metavar="N", group="Performance",
        help=f"Number of parallel processes.  [default: {default}]",
    )  # fmt: skip


def _code_list(known: Sequence[str]) -> Callable[[click.Context, click.Parameter, str | None], frozenset[str] | None]:
    def read(ctx: click.Context, param: click.Parameter, value: str | None) -> frozenset[str] | None:
        if value is None:
            return None
        codes = frozenset(code for item in value.split(",") if (code := item.strip()))
        for code in sorted(codes.difference(known)):
            if code in CODES:
                raise click.BadParameter(
                    f'{ctx.info_name} does not report "{code}"; see `shapecheck explain {code}`', ctx, param
                )
            raise click.BadParameter(f'unknown code "{code}"; {did_you_mean(code, known)}', ctx, param)
        return codes

    return read
