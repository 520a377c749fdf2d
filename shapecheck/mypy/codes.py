"""Our codes among mypy's: known to `# type: ignore[...]`, `disable_error_code` and `enable_error_code`."""

from __future__ import annotations

from mypy.errorcodes import ErrorCode

from shapecheck.diagnostics.codes import CHECKS, CODES

ERROR_CODES = {name: ErrorCode(name, CODES[name].summary, "shapecheck") for name in (*CHECKS, "internal-error")}
"""The codes that the plugin reports under; making one registers it with mypy."""
