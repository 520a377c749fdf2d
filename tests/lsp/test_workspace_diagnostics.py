from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import Editor
from tests.lsp.test_diagnostics import BAD, GOOD
from tests.lsp.test_robustness import NEW_PROCESS, workers_of

pytestmark = pytest.mark.asyncio


async def pulled(editor: Editor, before: dict[str, str] | None = None) -> dict[str, object]:
    """The reports by file name: the codes, or "unchanged"."""
    ids = [types.PreviousResultId(editor.uri(name), value) for name, value in (before or {}).items()]
    found = await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(ids))
    return {
        one.uri.rpartition("/")[2]: one.kind if one.kind == "unchanged" else [item.code for item in one.items]
        for one in found.items
    }


async def ids(editor: Editor) -> dict[str, str]:
    found = await editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
    return {one.uri.rpartition("/")[2]: one.result_id for one in found.items}


def change(editor: Editor, name: str, text: str) -> None:
    (editor.folder / name).write_text(text)
    event = types.FileEvent(editor.uri(name), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))


async def test_files_that_are_not_open_have_findings(pulling_editor: Editor) -> None:
    (pulling_editor.folder / "bad.py").write_text(BAD)
    (pulling_editor.folder / "good.py").write_text(GOOD)
    assert pulling_editor.capabilities.diagnostic_provider.workspace_diagnostics
    assert await pulled(pulling_editor) == {"bad.py": ["shape-mismatch"]}


async def test_a_finding_has_a_range_and_notes(pulling_editor: Editor) -> None:
    (pulling_editor.folder / "bad.py").write_text(BAD)
    found = await pulling_editor.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams([]))
    (one,) = found.items[0].items
    assert one.range == types.Range(types.Position(11, 15), types.Position(11, 35))
    notes = {(note.location.uri, note.location.range.start.line) for note in one.related_information}
    assert (pulling_editor.uri("bad.py"), 8) in notes


async def test_open_documents_count_before_they_are_saved(pulling_editor: Editor) -> None:
    (pulling_editor.folder / "other.py").write_text(BAD)
    pulling_editor.open("head.py", BAD)
    assert await pulled(pulling_editor) == {"head.py": ["shape-mismatch"], "other.py": ["shape-mismatch"]}
    pulling_editor.type("head.py", GOOD)
    assert await pulled(pulling_editor) == {"head.py": [], "other.py": ["shape-mismatch"]}


async def test_what_has_not_changed_is_not_sent_again(pulling_editor: Editor) -> None:
    for name in ("a.py", "b.py"):
        (pulling_editor.folder / name).write_text(BAD)
    before = await ids(pulling_editor)
    assert await pulled(pulling_editor, before) == {"a.py": "unchanged", "b.py": "unchanged"}
    change(pulling_editor, "a.py", GOOD)
    assert await pulled(pulling_editor, before) == {"a.py": [], "b.py": "unchanged"}


async def test_results_come_in_parts_if_the_client_wants_that(pulling_editor: Editor) -> None:
    (pulling_editor.folder / "bad.py").write_text(BAD)
    pulling_editor.open("head.py", BAD)
    parameters = types.WorkspaceDiagnosticParams([], partial_result_token="parts")
    found = await pulling_editor.client.workspace_diagnostic_async(parameters)
    assert list(found.items) == []
    assert [one.token for one in pulling_editor.parts] == ["parts", "parts"]
    reports = [one for part in pulling_editor.parts for one in part.value["items"]]
    assert [(one["uri"].rpartition("/")[2], len(one["items"])) for one in reports] == [("head.py", 1), ("bad.py", 1)]


@pytest.mark.parametrize("server_command", [NEW_PROCESS])
async def test_a_request_can_be_cancelled(pulling_editor: Editor) -> None:
    psutil = pytest.importorskip("psutil")
    (pulling_editor.folder / "bad.py").write_text(BAD)
    server = pulling_editor.client._server.pid
    request = pulling_editor.client.protocol.send_request(
        types.WORKSPACE_DIAGNOSTIC, types.WorkspaceDiagnosticParams([]), msg_id="pull"
    )
    while not (running := [one for one in workers_of(server) if "check" in psutil.Process(one).cmdline()]):
        await asyncio.sleep(0.01)
    pulling_editor.client.cancel_request(types.CancelParams("pull"))
    with pytest.raises(JsonRpcException, match="cancel"):
        await asyncio.wrap_future(request)
    while any(map(psutil.pid_exists, running)):
        await asyncio.sleep(0.01)
    assert await pulled(pulling_editor) == {"bad.py": ["shape-mismatch"]}


async def test_a_project_that_cannot_be_checked_is_logged(pulling_editor: Editor) -> None:
    (pulling_editor.folder / "pyproject.toml").write_text("[tool.shapecheck\n")
    assert await pulled(pulling_editor) == {}
    assert any("the project cannot be checked" in one.message for one in pulling_editor.client.log_messages)


async def test_the_setting_leaves_open_documents(pulling_editor: Editor) -> None:
    (pulling_editor.folder / "bad.py").write_text(BAD)
    settings = types.DidChangeConfigurationParams({"shapecheck": {"workspaceDiagnostics": False}})
    pulling_editor.client.workspace_did_change_configuration(settings)
    pulling_editor.open("head.py", BAD)
    assert await pulled(pulling_editor) == {"head.py": ["shape-mismatch"]}


async def test_a_client_without_it_is_pushed_open_documents_only(plain_editor: Editor) -> None:
    (plain_editor.folder / "bad.py").write_text(BAD)
    plain_editor.open("head.py", BAD)
    assert [code for _, code in await plain_editor.codes("head.py")] == ["shape-mismatch"]
    assert set(plain_editor.published) == {plain_editor.uri("head.py")}
