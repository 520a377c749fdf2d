"""The `shapecheck` command: one module per subcommand, imported when the subcommand is called.

The subcommand `name` is the click command `command` of `shapecheck.cli.name` and has an entry in `_COMMANDS`.
"""

from __future__ import annotations

import errno
import os
from importlib import import_module
from typing import Any, cast

import click

from shapecheck import __version__

_COMMANDS = {
    "check": "Find calls that PyTorch would reject, without running the code.",
    "run": "Build annotated models, run them, and report where they contradict their annotations.",
    "diff": "Compare two reports that `shapecheck run` wrote.",
    "fix": "Add a typed __call__ to nn.Module classes, so that model(x) has a type.",
    "annotate": "Write the shape annotations that the code already implies.",
    "record": "Run a command, and record the shapes and dtypes of its calls.",
    "stubs": "Write the stub package that types nn.Module calls.",
    "lsp": "Show findings, shapes and fixes in editors.",
    "explain": "Explain a diagnostic code.",
    "init": "Write what a project needs: [tool.shapecheck], the mypy plugin, a pre-commit hook and a CI job.",
    "doctor": "Show what is installed, which front ends work here, and how to fix the rest.",
}


class _Commands(click.Group):
    """A group that knows its subcommands by name, so that `--help` and `--version` import none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        return cast(click.Command, import_module(f"{__name__}.{cmd_name}").command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in _COMMANDS and (near := _nearest(args[0])):
            ctx.fail(f'unknown command "{args[0]}"; did you mean "{near}"?')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("shapecheck: interrupted", err=True)
            ctx.exit(130)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            click.echo(f"shapecheck: cannot write: {error.strerror}", err=True)
            os._exit(2)  # writing the rest of the buffers would fail again


def _nearest(name: str) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - only for a misspelled name

    return next(iter(get_close_matches(name, _COMMANDS, 1)), None)


def _print_version(ctx: click.Context, _param: click.Parameter, is_given: bool) -> None:
    if not is_given or ctx.resilient_parsing:
        return
    from shapecheck.cli._distribution import conflict  # noqa: PLC0415 - reads what is installed

    click.echo(f"shapecheck, version {__version__}")
    if problem := conflict():
        click.echo(f"shapecheck: warning: {problem}", err=True)
    ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version and exit.",
)  # fmt: skip
def main() -> None:
    """Check the tensor shapes, dtypes and types of PyTorch code.

    Run `shapecheck COMMAND --help` for the options of a command. Output is in color on a terminal; set NO_COLOR=1 to
    turn color off, or FORCE_COLOR=1 to turn it on.
    """
