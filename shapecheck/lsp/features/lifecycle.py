"""The start and the end of the server, and the settings of the client."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path

from shapecheck.lsp.server import Server
from shapecheck.lsp.settings import settings_from

_WATCHED = ("**/*.py", "**/*.ipynb", "**/pyproject.toml")


def register(server: Server) -> None:
    """Adds the feature."""

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.settings = settings_from(params.initialization_options)
        folders = params.workspace_folders or []
        root = folders[0].uri if folders else params.root_uri
        folder = to_fs_path(root) if root else None
        if folder and Path(folder).is_dir():
            server.scheduler.worker.folder = Path(folder)
        server.scheduler.worker.start()

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        watching = server.client_capabilities.workspace
        files = None if watching is None else watching.did_change_watched_files
        if files is not None and files.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(one) for one in _WATCHED])
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            await server.client_register_capability_async(
                types.RegistrationParams([types.Registration("files", method, options)])
            )

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configure(params: types.DidChangeConfigurationParams) -> None:
        server.settings = settings_from(params.settings)
        for document in server.scheduler.all():
            for listener in server.scheduler.reported:
                listener(document)

    @server.feature(types.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.scheduler.worker.close()
        server.project_check.stop()
