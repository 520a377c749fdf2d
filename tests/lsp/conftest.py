"""A session with the real server: one process per test, and the processes that it starts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib.util import find_spec
from pathlib import Path

if find_spec("pytest_lsp") is None or find_spec("pygls") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    import pytest
    import pytest_asyncio
    from lsprotocol import types

    from tests import forked
    from tests.lsp.editor import Editor

    IN_FORKED_PYTHON = """\
import runpy, sys
sys.executable, *sys.argv = sys.argv[1:]
runpy.run_module("shapecheck", run_name="__main__", alter_sys=True)
"""
    """The server starts its processes with `sys.executable`, so that they are forked too."""

    FULL = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
        ),
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(
                resolve_support=types.ClientCodeActionResolveOptions(["edit"])
            ),
        ),
    )
    """An editor such as VS Code, which is pushed diagnostics."""

    @pytest.fixture
    def server_command() -> list[str]:
        """Where the processes are not looked at, they need not start anew."""
        return [forked.python(), "-c", IN_FORKED_PYTHON, forked.python(), "shapecheck", "lsp"]

    @pytest_asyncio.fixture
    async def editor(server_command: list[str], tmp_path: Path) -> AsyncIterator[Editor]:
        """An editor that supports much."""
        async for one in started(server_command, tmp_path, FULL):
            yield one

    @pytest_asyncio.fixture
    async def plain_editor(server_command: list[str], tmp_path: Path) -> AsyncIterator[Editor]:
        """An editor that supports nothing that is optional."""
        async for one in started(server_command, tmp_path, types.ClientCapabilities()):
            yield one

    @pytest_asyncio.fixture
    async def pulling_editor(server_command: list[str], tmp_path: Path) -> AsyncIterator[Editor]:
        """An editor that asks for diagnostics."""
        pulls = types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities())
        watches = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        workspace = types.WorkspaceClientCapabilities(did_change_watched_files=watches)
        async for one in started(server_command, tmp_path, types.ClientCapabilities(workspace, pulls)):
            yield one

    async def started(
        command: list[str], folder: Path, capabilities: types.ClientCapabilities
    ) -> AsyncIterator[Editor]:
        one = Editor(folder)
        await one.start(command, capabilities)
        try:
            yield one
        finally:
            await one.stop()
