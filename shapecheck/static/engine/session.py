"""The state of a project that outlives the runs of its entry points: files, caches, rules, module namespaces."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from shapecheck.static.engine.memo import Memo
from shapecheck.static.engine.origins import Origins

if TYPE_CHECKING:
    import ast

    from shapecheck.static.claims import FunctionClaims
    from shapecheck.static.domain.abstract_values import Value
    from shapecheck.static.domain.objects import ClassValue, FunctionValue, Namespace
    from shapecheck.static.engine.entry_defaults import UsedDefault
    from shapecheck.static.engine.findings import Finding, FindingKey
    from shapecheck.static.engine.hooks import HookTable
    from shapecheck.static.engine.library_names import Definition
    from shapecheck.static.engine.loading import Project, SourceModule
    from shapecheck.static.observing.observer import RunObserver


class KeptResults(Protocol):
    """Results of entry points that need not run again (`entry.kept_entries`)."""

    def reused(self, node: ast.AST, before: Any) -> Any:
        """The results with the kept ones of an entry point; None if it has to run."""

    def keep(self, node: ast.AST, before: Any, after: Any) -> None:
        """Keeps what an entry point has added."""


class Body(NamedTuple):
    """The findings of the body of a module, the functions that it called, and the options whose defaults it used."""

    findings: dict[FindingKey, Finding]
    called: set[Hashable]
    used: dict[ast.AST, UsedDefault]


class NotedFindings:
    """Notes whether there are findings inside, reported or not; those of the body of an import count for it alone."""

    __slots__ = ("_outer", "_session", "any")

    def __init__(self, session: Session) -> None:
        self._session = session
        self.any = False

    def __enter__(self) -> NotedFindings:
        self._outer = self._session.noted
        self._session.noted = self
        return self

    def __exit__(self, *_: object) -> None:
        self._session.noted = self._outer


class Session:
    """The state that all runs of one project share."""

    __slots__ = (
        "bodies",
        "checks_claims",
        "claimed",
        "claims",
        "conditional",
        "contradictions",
        "exhausting",
        "had_findings_in_body",
        "has_variants",
        "kept_classes",
        "kept_entries",
        "library_calls",
        "library_names",
        "memo",
        "modules",
        "noted",
        "origins",
        "project",
        "registered",
        "rules",
        "unfinished",
        "unrun",
        "watch",
    )

    def __init__(
        self,
        project: Project,
        rules: HookTable,
        watch: RunObserver | None = None,
        *,
        has_variants: bool = False,
        checks_claims: bool = False,
    ) -> None:
        self.project = project
        self.rules = rules
        self.watch = watch
        """The observer of all runs, if any."""
        self.has_variants = has_variants
        """Whether entry points also run with other arguments than their defaults."""
        self.checks_claims = checks_claims
        """Whether shapes in docstrings and comments are compared with those of the code."""
        self.claims: dict[ast.AST, FunctionClaims] = {}
        """The shapes in the docstrings and comments of functions that were analyzed in isolation."""
        self.claimed: dict[FindingKey, ast.AST] = {}
        """The findings that depend on such shapes, and the functions that have them."""
        self.memo, self.origins = Memo(), Origins()
        self.modules: dict[SourceModule, Namespace] = {}
        """The modules whose bodies have run, or are running."""
        self.bodies: dict[SourceModule, Body] = {}
        """The modules whose bodies have run to the end."""
        self.conditional: dict[Namespace, list[ClassValue | FunctionValue]] = {}
        """The classes and functions that modules define under a condition, or in `try`."""
        self.contradictions: dict[ast.AST, bool] = {}
        """Whether the body of a function contradicts its annotations, as far as a call has asked."""
        self.kept_classes: dict[ast.expr, bool] = {}
        """Whether a decorator returns the class that it decorates, as far as a call has asked."""
        self.kept_entries: KeptResults | None = None
        """The results of the entry points of the file that an editor changes; None if nothing is kept."""
        self.registered: dict[SourceModule, dict[str, Value]] = {}
        """What is registered in a module of a library, by name, as far as a call has asked."""
        self.library_names: dict[tuple[SourceModule, str], Definition | None] = {}
        """Where names of modules of libraries are defined."""
        self.library_calls: dict[tuple[SourceModule, str], Value] = {}
        """The functions and classes of libraries that a file calls, by dotted name; None for other names."""
        self.unrun: dict[SourceModule, Namespace] = {}
        """The modules of libraries whose bodies have not run."""
        self.exhausting: set[Hashable] = set()
        """The calls of libraries, with their arguments, that take too many steps."""
        self.noted = NotedFindings(self)
        """Whether the current file, or the body of the current module, had findings."""
        self.had_findings_in_body: set[SourceModule] = set()
        """The modules whose bodies had findings."""
        self.unfinished: set[SourceModule] = set()
        """The modules with an entry that ran out of steps, so that they may have more findings."""

    def forget(self, loaded: SourceModule) -> None:
        """Drops what belongs to a module whose file has changed; values of other modules may still refer to it."""
        names = self.modules.pop(loaded, None)
        if names is not None:
            self.conditional.pop(names, None)
        self.bodies.pop(loaded, None)
        self.unfinished.discard(loaded)
        self.claims.clear()
        self.claimed.clear()
        self.contradictions.clear()
        self.kept_classes.clear()
