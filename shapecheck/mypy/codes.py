"""Our codes as mypy error codes, for `# type: ignore[...]`, `disable_error_code` and `enable_error_code`."""

from __future__ import annotations

from shapecheck.diagnostics.codes import CHECKS, CODES, REVEALED
from shapecheck.mypy.known_codes import error_code

_OF_MYPY = "unused-ignore"
"""A code that mypy also has, for its own comments."""

ERROR_CODES = {
    name: error_code(name, CODES[name].summary) for name in (*CHECKS, *REVEALED, "internal-error") if name != _OF_MYPY
}
"""The codes that the plugin reports under; creating one registers it with mypy.

This includes the codes that are off by default: `selections` reads whether pyproject.toml or mypy enables them.
"""
