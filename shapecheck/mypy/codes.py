"""Our codes as mypy error codes, for `# type: ignore[...]`, `disable_error_code` and `enable_error_code`."""

from __future__ import annotations

from mypy.errorcodes import ErrorCode

from shapecheck.diagnostics.codes import CHECKS, CODES, REVEALED

_OF_MYPY = "unused-ignore"
"""A code that mypy has as well, for comments of its own kind."""

ERROR_CODES = {
    name: ErrorCode(name, CODES[name].summary, "shapecheck")
    for name in (*CHECKS, *REVEALED, "internal-error")
    if name != _OF_MYPY
}
"""The codes that the plugin reports under; making one registers it with mypy.

Also those that have to be asked for: `selections` says whether they are, for pyproject.toml can ask too.
"""
