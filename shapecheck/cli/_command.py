"""The click classes of our commands: options under headings, an example and the exit codes in `--help`.

cloup and rich-click can group options too; these few lines need no dependency, and `--help` imports nothing for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

GROUPS = (
    "Selection",
    "Libraries",
    "Baseline",
    "Changes",
    "Location",
    "Execution",
    "Tolerance",
    "Output",
    "Performance",
    "General",
)
"""The headings of options, in the order in which `--help` shows them; an option without a group is in the last."""


class Option(click.Option):
    """An option that `--help` lists under the heading `group`."""

    def __init__(self, *args: Any, group: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group


class Command(click.Command):
    """A command whose `--help` groups its options and ends with an example and the exit codes."""

    def __init__(self, *args: Any, example: str, exit_codes: Mapping[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.example = example
        self.exit_codes = exit_codes

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each group in a section, with all descriptions in one column."""
        records: dict[str, list[tuple[str, str]]] = {name: [] for name in GROUPS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                records[group_of(parameter)].append(record)
        lengths = [len(name) for group in records.values() for name, _ in group]
        width = max(length for length in lengths if length <= _MAX_WIDTH)
        for title, group in records.items():
            if group:
                with formatter.section(title):
                    formatter.write_dl([(name.ljust(width), text) for name, text in group], col_max=width)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example and the exit codes."""
        with formatter.section("Example"):
            formatter.write_text(self.example)
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), meaning) for code, meaning in self.exit_codes.items()])


_MAX_WIDTH = 28
"""The width of an option's name beyond which its description starts on the next line."""


def group_of(parameter: click.Parameter) -> str:
    """The heading under which `--help` lists an option."""
    return parameter.group if isinstance(parameter, Option) else GROUPS[-1]
