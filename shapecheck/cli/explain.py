"""`shapecheck explain CODE`: the page about a diagnostic code."""

from __future__ import annotations

import click

from shapecheck.cli._sources import did_you_mean, print_whatever
from shapecheck.diagnostics.codes import CODES


@click.command("explain")
@click.argument("code")
def command(code: str) -> None:
    """Say what the diagnostic CODE means: bad code, good code, why, and how to silence it."""
    from shapecheck.diagnostics.page import page  # noqa: PLC0415

    print_whatever()
    known = CODES.get(code)
    if known is None:
        hint = did_you_mean(code, list(CODES)) or f"there are: {', '.join(CODES)}"
        click.echo(f"shapecheck explain: no code {code!r}; {hint.strip()}", err=True)
        raise click.exceptions.Exit(2)
    click.echo(page(known), nl=False)
