"""The `shapecheck` command: one module per subcommand, imported when the subcommand is called.

A subcommand `name` is the click command `command` of `shapecheck.cli.name`, and has a line in `_COMMANDS`.
"""

from __future__ import annotations

import errno
import os
from importlib import import_module
from typing import Any, cast

import click

from shapecheck import __version__

_COMMANDS = {
    "check": "Find calls that PyTorch would refuse, without running anything.",
    "run": "Build annotated models, run them on the device, and report what does not hold.",
    "diff": "Say what differs between two saved reports of a run.",
    "fix": "Give nn.Module classes a typed __call__, so that model(x) has a type.",
    "stubs": "Write the stub that types module calls for the torch that is installed.",
    "explain": "Say what a diagnostic code means, with examples.",
}


class _Commands(click.Group):
    """Knows its subcommands by name, so that `--help` and `--version` import none of them."""

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
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near!r}?")
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
            os._exit(2)  # what is left in the buffers would fail once more


def _nearest(name: str) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415 - for a misspelt name alone

    return next(iter(get_close_matches(name, _COMMANDS, 1)), None)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="shapecheck")
def main() -> None:
    """Make the shapes and types of PyTorch code checkable."""
