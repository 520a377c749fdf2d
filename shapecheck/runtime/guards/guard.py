"""`shapecheck.guard`: a context manager and decorator that checks the operators that are called."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from types import FrameType, TracebackType
from typing import Any, TypeVar

from shapecheck.diagnostics import CODES, Severity
from shapecheck.runtime.guards.allowing import checked_entries, is_allowed
from shapecheck.runtime.guards.places import SourceLocation, place_of_caller, place_of_error
from shapecheck.runtime.guards.refusals import code_of
from shapecheck.runtime.guards.settings import Settings, codes_of, severities_of
from shapecheck.runtime.guards.violations import GuardError, GuardWarning, Violation, Violations
from shapecheck.runtime.switch import configured, enabled

__tracebackhide__ = True  # pytest then ends the traceback of a GuardError at the line that called the operator

_F = TypeVar("_F", bound=Callable[..., Any])


class guard:
    """Watches the operators that are called in a `with` block, or in a function that it decorates.

    rules: codes, `"default"` or `"all"`. allow: codes, files (`"vendor/*.py"`) and lines (`"model.py:12"`) that are not
    reported. severity: one for all, or by code: an error is raised where the operator was called (GuardError), a
    warning is a GuardWarning for the line, a note is only kept. `[tool.shapecheck.guard]` sets the same for all guards.
    Iterating over the guard yields the violations, one per line and code. Raises ValueError for an invalid rule,
    severity or entry.

    If torch or a checked function rejects a call and the exception leaves the block, that line is among the
    violations; the exception propagates unchanged. `SHAPECHECK=0` turns guards off.
    """

    def __init__(
        self,
        rules: str | Iterable[str] | None = None,
        *,
        allow: Iterable[str] = (),
        severity: str | Severity | Mapping[str, str | Severity] | None = None,
    ) -> None:
        said = configured().guard
        self._settings = Settings(
            codes_of(said.rules if rules is None else rules),
            {**said.severity, **severities_of(severity)},
            (*said.allow, *checked_entries(allow)),
        )
        self._violations = Violations()
        self._watches: list[Any] = []

    def __enter__(self) -> guard:
        if enabled():
            from shapecheck.runtime.guards.mode import GuardMode  # noqa: PLC0415 - imports torch

            watch: Any = GuardMode(self._settings.codes, self._found)
            watch.__enter__()
            self._watches.append(watch)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watches:
            self._watches.pop().__exit__(kind, error, trace)
            if error is not None:
                self.refused(error)

    def __iter__(self) -> Iterator[Violation]:
        """The violations so far, by file and line."""
        return iter(self._violations)

    def __len__(self) -> int:
        return len(self._violations)

    def __bool__(self) -> bool:
        return True

    def __call__(self, function: _F) -> _F:
        """The function, under a guard like this one; an error for generators, which leave the block between items."""
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"{function.__qualname__} is a generator; use `with shapecheck.guard():` in its body")
        if inspect.iscoroutinefunction(function):
            raise TypeError(f"{function.__qualname__} is a coroutine; use `with shapecheck.guard():` in its body")
        if not enabled():
            return function

        @wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return guarded  # type: ignore[return-value]

    def _found(self, code: str, message: str, frame: FrameType | None) -> None:
        place = place_of_caller(frame)
        if is_allowed(self._settings.allow, code, place) or place.is_silenced(code):
            return
        severity = self._settings.severity_of(code)
        first = self._violations.add(Violation(place.path, place.line, code, severity, message))
        if severity is Severity.ERROR:
            raise GuardError(f"{message} [{code}]")
        if severity is Severity.WARNING and first:
            warnings.warn_explicit(f"{message} [{code}]", GuardWarning, place.path, place.line)

    def refused(self, error: BaseException) -> None:
        """Records the line of a rejected call for a caller that caught the exception itself."""
        code = code_of(error) if enabled() else None
        place: SourceLocation | None = None if code is None else place_of_error(error)
        if code is not None and place is not None:
            message = (str(error).splitlines() or [type(error).__name__])[0][:200]
            self._violations.add(Violation(place.path, place.line, code, CODES[code].severity, message))
