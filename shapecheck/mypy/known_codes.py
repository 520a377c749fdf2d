"""Registers our codes with mypy at the start of a run, because mypy then validates those that its options name.

The table of codes (`codes`) is made from the pages of the rules. To read it takes longer than the rest of the start, so
a file in mypy's cache directory has its content.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress

from mypy.errorcodes import ErrorCode, error_codes

CATEGORY = "shapecheck"


def is_registered(memo: str) -> bool:
    """Register the codes of the memo; returns whether there is one."""
    try:
        with open(memo, encoding="utf-8") as stream:  # noqa: PTH123
            summaries = json.load(stream)
        for name, summary in summaries.items():
            error_code(name, summary)
    except (OSError, ValueError, AttributeError):
        return False
    return True


def write(memo: str, codes: Mapping[str, ErrorCode]) -> None:
    """Write the memo, if there is a place for it."""
    if memo:
        with suppress(OSError):
            os.makedirs(os.path.dirname(memo), exist_ok=True)  # noqa: PTH103, PTH120
            with open(memo, "w", encoding="utf-8") as stream:  # noqa: PTH123
                json.dump({name: code.description for name, code in codes.items()}, stream)


def error_code(name: str, summary: str) -> ErrorCode:
    """The code of mypy with this name, created at the first call, which registers it."""
    known = error_codes.get(name)
    return known if known is not None and known.category == CATEGORY else ErrorCode(name, summary, CATEGORY)
