"""All open documents, by the configuration that applies to them."""

from __future__ import annotations

from pathlib import Path

from shapecheck.config import Config, ConfigError, load_config
from shapecheck.lsp.worker.project import EditedProject
from shapecheck.project.notebook import SUFFIX, made_of
from shapecheck.project.source import SourceFile


class Workspace:
    """The projects of the open documents."""

    def __init__(self) -> None:
        self._projects: dict[tuple[Path, Path | None], EditedProject] = {}
        self._homes: dict[Path, EditedProject] = {}
        self.problems: list[str] = []
        """What is wrong with configurations."""

    def project_of(self, path: Path) -> EditedProject:
        """The project of an open document."""
        return self._homes[path]

    def put(self, path: Path, text: str | None) -> None:
        """Opens, changes or closes a document."""
        if text is None:
            project = self._homes.pop(path, None)
            if project is not None:
                project.texts.pop(path, None)
                project.analyses.pop(path, None)
            return
        if path not in self._homes:
            config = self._config(path)
            project = self._projects.setdefault((config.root, config.file), EditedProject(config))
            self._homes[path] = project
        self._homes[path].texts[path] = made_of(text) if path.suffix == SUFFIX else text.encode()

    def reload(self) -> None:
        """Reads configurations and files again."""
        texts = {path: SourceFile.from_bytes(one.texts[path], path).text for path, one in self._homes.items()}
        self._projects, self._homes = {}, {}
        for path, text in texts.items():
            self.put(path, text)

    def _config(self, path: Path) -> Config:
        try:
            return load_config(path)
        except ConfigError as error:
            self.problems.append(str(error))
            return Config(root=path.parent)
