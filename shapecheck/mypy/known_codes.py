"""Registers our codes with mypy at the start of a run, because mypy then validates those that its options name.

The table of codes is made from the pages of the rules. To read it takes longer than the rest of the start, so a file in
mypy's cache directory has its content.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from mypy.errorcodes import ErrorCode, error_codes

CATEGORY = "shapecheck"


def register(memo: str) -> None:
    """Register the codes, from the memo if there is one, else from the table."""
    try:
        with open(memo, encoding="utf-8") as stream:  # noqa: PTH123
            summaries = json.load(stream)
        for name, summary in summaries.items():
            error_code(name, summary)
    except (OSError, ValueError, AttributeError):
        from shapecheck.mypy.codes import ERROR_CODES  # noqa: PLC0415 - not needed with a memo

        if memo:
            with suppress(OSError):
                os.makedirs(os.path.dirname(memo), exist_ok=True)  # noqa: PTH103, PTH120
                with open(memo, "w", encoding="utf-8") as stream:  # noqa: PTH123
                    json.dump({name: code.description for name, code in ERROR_CODES.items()}, stream)


def error_code(name: str, summary: str) -> ErrorCode:
    """The code of mypy with this name, created at the first call, which registers it."""
    known = error_codes.get(name)
    return known if known is not None and known.category == CATEGORY else ErrorCode(name, summary, CATEGORY)
