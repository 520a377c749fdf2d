"""`shapecheck explain CODE`: the page about a diagnostic code."""

from __future__ import annotations

from collections.abc import Iterator

import click

from shapecheck.cli._command import Command
from shapecheck.cli._errors import did_you_mean, usage_failure
from shapecheck.cli._sources import print_any_character
from shapecheck.diagnostics.codes import CODES

_EXIT_CODES = {0: "The page was printed.", 2: "Cannot run: an unknown code or an invalid option."}


@click.command("explain", cls=Command, example="shapecheck explain silent-broadcast", exit_codes=_EXIT_CODES)
@click.argument("code", required=False, metavar="[CODE]")
def command(code: str | None) -> None:
    """Explain a diagnostic code: what it means, bad and good code, and how to suppress it.

    CODE is the code in brackets at the end of a finding. Without CODE, list all codes with their severities; opt-in
    codes are reported only if they are selected.
    """
    print_any_character()
    if code is None:
        click.echo("".join(_rows()), nl=False)
        return
    known = CODES.get(code)
    if known is None:
        raise usage_failure(f'unknown code "{code}"; {did_you_mean(code, list(CODES))}')
    from shapecheck.diagnostics.page import page  # noqa: PLC0415

    click.echo(page(known), nl=False)
    if not known.default:
        click.echo(f"\n{code} is opt-in: select it with `--select {code}`, or with `--select default,{code}`.")


def _rows() -> Iterator[str]:
    width = max(map(len, CODES))
    for code in CODES.values():
        yield f"{code.name:<{width}}  {code.severity.value:<7}  {code.summary}{'' if code.default else ' (opt-in)'}\n"
