"""The outcomes of a condition whose branches do not report: it depends on something that is known only in part."""

from __future__ import annotations

import ast

from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.unknown_options import is_on_option
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.class_dispatch import dispatched_outcomes
from shapecheck.static.narrowing.loop_flags import is_loop_flag
from shapecheck.static.narrowing.signature_tests import depends_on_signature

BOTH = frozenset((True, False))


def doubtful_outcomes(run: Run, test: ast.expr, value: Value) -> frozenset[bool]:
    """The outcomes for which nothing is reported; `value` is the condition, as far as it is known."""
    function = run.frame.function
    is_doubtful = (
        depends_on_signature(function, test)
        or is_on_option(run.frame.scope, test, value)
        or is_loop_flag(function, test)
    )
    return BOTH if is_doubtful else dispatched_outcomes(run, test)
