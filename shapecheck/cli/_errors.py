"""Errors of a command: one line on standard error, and exit code 2 where it cannot go on."""

from __future__ import annotations

import click


def print_error(problem: object) -> None:
    """Says what is wrong; the command goes on."""
    click.echo(f"shapecheck: {problem}", err=True)


def usage_failure(problem: object) -> click.exceptions.Exit:
    """Says what is wrong; what it gives is to be raised, and ends the command."""
    print_error(problem)
    return click.exceptions.Exit(2)
