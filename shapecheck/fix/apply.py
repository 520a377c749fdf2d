"""Writes the planned `__call__`s, and imports, into a file with LibCST."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from shapecheck.fix.fold import Folded
from shapecheck.fix.imports import add_names
from shapecheck.fix.model import FixOptions
from shapecheck.fix.rewrite import rewrite_classes
from shapecheck.fix.typed_call import CallPlan
from shapecheck.project.scope import File


def apply(file: File, plans: list[CallPlan], options: FixOptions) -> str:
    """The text of the file with the plans applied; raises SyntaxError if LibCST cannot parse what Python can."""
    folded = Folded(file)
    blocks = {plan.cls.index: plan.block for plan in plans}
    missing = {name for plan in plans if plan.block for name in plan.block.missing}
    try:
        module = cst.parse_module(folded.text)
        if module.code != folded.text:
            raise SyntaxError("not every byte would be kept; look for unusual white space or a single backslash")
        module = rewrite_classes(module, blocks, file.source.newline_at(plans[0].cls.line))
    except cst.ParserSyntaxError as error:
        raise SyntaxError(error.message) from error
    return folded.unfold(add_names(module, "typing", missing, options.width).code)


def with_imports(file: File, missing: Mapping[str, set[str]], width: int) -> str:
    """The text of the file with names imported, by module; raises SyntaxError if LibCST cannot parse it."""
    folded = Folded(file)
    try:
        module = cst.parse_module(folded.text)
        if module.code != folded.text:
            raise SyntaxError("not every byte would be kept; look for unusual white space or a single backslash")
        for home, names in sorted(missing.items()):
            module = add_names(module, home, names, width)
    except cst.ParserSyntaxError as error:
        raise SyntaxError(error.message) from error
    return folded.unfold(module.code)
