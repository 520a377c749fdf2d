"""Whether a statement calls an operator for its effect: a benchmark, a warm-up, a test, a cell of a notebook."""

from __future__ import annotations

import ast

from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.static.engine.run import Run

_NAMED = lazy_pattern(
    r"(?:^|_)(?:test\w*|bench\w*|warm\w*|profil\w*|time_?it|timing|timed|perf|measure\w*|smoke\w*|check\w*"
    r"|validat\w*|verif\w*|assert\w*|ensure\w*|can|supports?|try|sanity|speed)(?:_|$)"
)
"""Names of functions whose calls of operators are the purpose."""
_MEASURING = lazy_pattern(
    r"perf_counter\w*|timeit|Timer|synchronize|Event|elapsed_time|profile\w*|record_function|do_bench\w*"
    r"|max_memory_\w+|memory_allocated|reset_peak_\w+|FlopCounterMode|CUDAGraph|make_fx"
)
"""What code that measures or records operators calls."""
_NEUTRAL = frozenset("no_grad enable_grad inference_mode set_grad_enabled autocast device stream open amp".split())
"""Context managers inside which operators have no other effect than elsewhere."""
_FILE = lazy_pattern(r"(?:^|_)(?:tests?|bench\w*|conftest|profil\w*)(?:_|$)")


def is_run_for_effect(run: Run, node: ast.expr) -> bool:
    """Whether an operator whose result is not used may be called for its effect.

    That includes the body of a file, whose expressions a notebook or an interpreter displays.
    """
    if _FILE.search(run.loaded.path.stem):
        return True
    function = run.frame.function
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return True
    return bool(_NAMED.search(function.name)) or _is_inside(function, node)


def _is_inside(body: ast.AST, node: ast.expr) -> bool:
    """Whether code measures or records, or the statement is in a context manager or `try` that observes it."""
    if _measures(body):
        return True
    around = [one for one in _blocks(body) if any(part is node for part in walk(one))]
    return any(isinstance(one, ast.Try) or not _is_neutral(one) for one in around)


@cached_on_node
def _measures(body: ast.AST) -> bool:
    return any(
        _MEASURING.fullmatch(name) or ast.unparse(one) == "time.time" for one in walk(body) for name in _names(one)
    )


@cached_on_node
def _blocks(body: ast.AST) -> tuple[ast.Try | ast.With | ast.AsyncWith, ...]:
    return tuple(one for one in walk(body) if isinstance(one, (ast.Try, ast.With, ast.AsyncWith)))


def _is_neutral(node: ast.AST) -> bool:
    if not isinstance(node, (ast.With, ast.AsyncWith)):
        return False
    names = [name for item in node.items for name in _names(getattr(item.context_expr, "func", item.context_expr))]
    return len(names) == len(node.items) and all(name in _NEUTRAL for name in names)


def _names(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Attribute):
        return (node.attr,)
    return (node.id,) if isinstance(node, ast.Name) else ()
