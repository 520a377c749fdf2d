"""Imports every module that registers operations in the dispatch table."""

from __future__ import annotations

import shapecheck.static.calls.attributes
import shapecheck.static.calls.call
import shapecheck.static.calls.classes
import shapecheck.static.calls.functions
import shapecheck.static.entry.isolation
import shapecheck.static.expressions.table
import shapecheck.static.operators.torch_calls
import shapecheck.static.statements.imports
import shapecheck.static.statements.table
import shapecheck.static.statements.targets  # noqa: F401
