"""The files of one configuration as an editor sees them."""

from __future__ import annotations

from shapecheck.config import Config
from shapecheck.editing.files import EditedFiles
from shapecheck.project.environment import installed_libraries
from shapecheck.selection import Selection


class EditedProject(EditedFiles):
    """The files of one configuration, and which findings it selects."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.selection = Selection(config)
        check = config.check
        python = config.root / check.python if check.python else None
        libraries = installed_libraries(python, config.root) if check.site_packages else []
        super().__init__(config.root, self.selection.wanted(), libraries)
