"""What belongs to a project and outlives the runs of its entry points: files, caches, rules, module namespaces."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from shapecheck.static.engine.memo import Memo
from shapecheck.static.engine.origins import Origins

if TYPE_CHECKING:
    from shapecheck.static.domain.values import Namespace
    from shapecheck.static.engine.findings import Finding
    from shapecheck.static.engine.hooks import HookTable
    from shapecheck.static.engine.loading import Project, SourceModule
    from shapecheck.static.observing.observer import RunObserver


class Body(NamedTuple):
    """The findings of a module's body, and the functions that it called."""

    findings: list[Finding]
    called: set[Hashable]


class Session:
    """The state that all runs of one project share."""

    __slots__ = ("bodies", "memo", "modules", "origins", "project", "rules", "unfinished", "watch")

    def __init__(self, project: Project, rules: HookTable, watch: RunObserver | None = None) -> None:
        self.project = project
        self.rules = rules
        self.watch = watch
        """The observer of all runs, where there is one."""
        self.memo = Memo()
        self.origins = Origins()
        self.modules: dict[SourceModule, Namespace] = {}
        """The modules whose bodies have been run, or are being run."""
        self.bodies: dict[SourceModule, Body] = {}
        """Those whose bodies have been run to their ends."""
        self.unfinished: set[SourceModule] = set()
        """The modules of which some entry was cut short, so that they may have more findings."""
