"""Errors of a command: one line on standard error, and exit code 2 if it cannot go on."""

from __future__ import annotations

from collections.abc import Sequence

import click


def print_error(problem: object) -> None:
    """Print an error; the command goes on."""
    click.echo(f"shapecheck: {problem}", err=True)


def usage_failure(problem: object) -> click.exceptions.Exit:
    """Print an error; the result is to be raised and ends the command with exit code 2."""
    print_error(problem)
    return click.exceptions.Exit(2)


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """`did you mean "x"?` for the known word nearest to a misspelled one, otherwise all known words."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a misspelled word

    near = get_close_matches(word, known, 1)
    return f'did you mean "{near[0]}"?' if near else f"available: {', '.join(known)}"
