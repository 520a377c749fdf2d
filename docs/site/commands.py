"""The reference of the command line: what each command prints for `--help`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from shapecheck.cli import main

_WIDTH = 100


def helps() -> str:
    """A heading for `shapecheck` and each of its commands, with its help."""
    return "\n".join(_helps())


def _helps() -> Iterator[str]:
    yield _section(click.Context(main, info_name="shapecheck", terminal_width=_WIDTH, **_SETTINGS))
    for name in main.list_commands(click.Context(main)):
        command = main.get_command(click.Context(main), name)
        assert command is not None
        yield _section(click.Context(command, info_name=f"shapecheck {name}", terminal_width=_WIDTH, **_SETTINGS))


_SETTINGS = {"help_option_names": main.context_settings["help_option_names"]}


def _section(context: click.Context) -> str:
    lines = (line.rstrip() for line in context.get_help().splitlines())
    return f"## {context.info_name}\n\n```text\n{chr(10).join(lines)}\n```\n"
