"""`shapecheck explain CODE`: the page about a diagnostic code."""

from __future__ import annotations

from collections.abc import Iterator

import click

from shapecheck.cli._errors import usage_failure
from shapecheck.cli._sources import did_you_mean, print_any_character
from shapecheck.diagnostics.codes import CODES


@click.command("explain")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Say what the diagnostic CODE means: bad code, good code, why, and how to silence it.

    Without CODE: all codes, their severities, and which of them are only reported when they are selected by name.
    """
    print_any_character()
    if code is None:
        click.echo("".join(_rows()), nl=False)
        return
    known = CODES.get(code)
    if known is None:
        hint = did_you_mean(code, list(CODES)) or f"there are: {', '.join(CODES)}"
        raise usage_failure(f"no code {code!r}; {hint.strip()}")
    from shapecheck.diagnostics.page import page  # noqa: PLC0415

    click.echo(page(known), nl=False)
    if not known.default:
        click.echo(
            f"\n{code} is opt-in: it is only reported with `--select {code}`, or `default,{code}` for all others."
        )


def _rows() -> Iterator[str]:
    width = max(map(len, CODES))
    for code in CODES.values():
        yield f"{code.name:<{width}}  {code.severity.value:<7}  {code.summary}{'' if code.default else ' (opt-in)'}\n"
