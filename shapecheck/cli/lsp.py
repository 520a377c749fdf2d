"""`shapecheck lsp`: the language server."""

from __future__ import annotations

from importlib.util import find_spec

import click

from shapecheck.cli._command import Command
from shapecheck.cli._errors import usage_failure
from shapecheck.cli._options import option

_EXIT_CODES = {0: "The editor ended the session.", 2: "Cannot run: pygls is not installed, or an invalid option."}


@click.command("lsp", cls=Command, example="shapecheck lsp", exit_codes=_EXIT_CODES)
@option("--tcp", type=int, metavar="PORT", group="Execution", help="Serve on a port of this machine, for debugging.")
@option("--stdio", is_flag=True, group="Execution", help="Serve on standard input and output; this is the default.")
def command(tcp: int | None, stdio: bool) -> None:
    """Show findings, shapes and fixes in an editor, over the language server protocol.

    Editors start this command; see `docs/language-server.md`.
    """
    if tcp is not None and stdio:
        raise click.UsageError("--tcp cannot be used with --stdio")
    if find_spec("pygls") is None:
        raise usage_failure(ImportError('pygls is not installed; install it with: pip install "torch-shapecheck[lsp]"'))
    from shapecheck.lsp.start import main  # noqa: PLC0415 - needs the extra

    main(tcp)
