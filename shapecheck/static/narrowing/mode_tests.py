"""Tests of a mode in a called function, `if self.kind == "image":`, where the mode is not known.

The caller passes what belongs to one mode, and its model has the layers of one mode. So what fails in the branch for
another mode proves nothing, except about dtypes. The rank of a tensor is a mode of the others, `if x.ndim == 3:`, and
so is None, `if self.size is None:`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from shapecheck.ops import ModuleSpec
from shapecheck.project.node_cache import cached_on_node
from shapecheck.project.tree_walk import walk
from shapecheck.spec import TensorSpec
from shapecheck.static.domain.abstract_values import Value
from shapecheck.static.domain.alternatives import Alternatives, OpenShape
from shapecheck.static.domain.callee_names import last_name
from shapecheck.static.domain.objects import Collection, Instance
from shapecheck.static.domain.symbolic_argument import ArgumentPart, SymbolicArgument
from shapecheck.static.domain.unknown_options import UNKNOWN_KINDS
from shapecheck.static.domain.values import EnumMember
from shapecheck.static.engine.equality import equal, is_member
from shapecheck.static.engine.frames import Frame
from shapecheck.static.engine.run import Run
from shapecheck.static.narrowing.references import is_readable, read
from shapecheck.static.narrowing.tensor_reads import tensor_read_of

_OF_SYSTEM = frozenset("device type platform system backend version training".split())
_COLLECTIONS = (ast.Tuple, ast.List, ast.Set)


def outcomes_for_other_mode(run: Run, test: ast.expr) -> frozenset[bool]:
    """The outcomes of an undecided condition whose branches are for one mode, in a function that is called with data.

    Where the modes of an object are known, as after two branches that assign one each, every outcome selects one.
    """
    if not _may_test_mode(test):
        return frozenset()
    is_called = _is_called(run.frame) and _has_data(run)
    if (is_called or _is_in_round(run)) and _compares_rank(run, test):
        return frozenset((True, False))
    if not is_called:
        return frozenset()
    outcome = _outcome_of_mode(run, test)
    if outcome is None:
        return frozenset()
    return frozenset((True, False)) if _reads_known_modes(run, test) else frozenset((outcome,))


def part(run: Run, *, silent: bool, in_mode: bool, of_caller: bool) -> AbstractContextManager[object]:
    """The context in which a branch on an unknown condition runs."""
    if silent:
        return run.silenced()
    return in_other_mode(run) if in_mode else in_branch_of_caller(run) if of_caller else nullcontext()


@contextmanager
def in_other_mode(run: Run) -> Iterator[None]:
    """Runs a branch for a mode that may not be that of the caller."""
    frame = run.frame
    frame.other_modes += 1
    try:
        yield
    finally:
        frame.other_modes -= 1


def _is_called(frame: Frame) -> bool:
    """Whether a call runs; the constructor of a dataclass is written nowhere, and calls `__post_init__`."""
    return frame.call is not None or getattr(frame.function, "name", "") == "__post_init__"


def _is_in_round(run: Run) -> bool:
    """Whether a round of a loop over known items runs: the tensors of one round belong together."""
    return any(one.doubts is None for one in run.frame.loops)


def _compares_rank(run: Run, test: ast.expr) -> bool:
    """Whether a condition compares the rank of a tensor, which is unknown."""
    return any(_is_open_rank(run, one) for one in _compared(test))


@cached_on_node
def _compared(test: ast.expr) -> tuple[ast.expr, ...]:
    """What a condition compares, apart from constants."""
    sides = (side for one in walk(test) if isinstance(one, ast.Compare) for side in (one.left, *one.comparators))
    return tuple(one for one in sides if isinstance(one, (ast.Name, ast.Attribute, ast.Call, ast.BinOp)))


def _is_open_rank(run: Run, node: ast.expr) -> bool:
    """Whether an expression is a rank, or a variable that holds one, and its value is unknown."""
    value = read(run, node) if is_readable(node) else None
    if isinstance(value, OpenShape):
        return True
    function = run.frame.function
    is_rank = _reads_rank(node) or (
        isinstance(node, ast.Name) and function is not None and node.id in _rank_names(function)
    )
    return is_rank and not isinstance(value, int)


def _reads_rank(node: ast.expr) -> bool:
    """Whether an expression is `x.ndim`, `x.dim()`, `len(x.shape)` or `len(shape)`, also `x.dim() - 2`."""
    if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
        node = node.left
    of = node.args[0] if isinstance(node, ast.Call) and last_name(node.func) == "len" and node.args else None
    if isinstance(of, ast.Name):
        return of.id.endswith("shape")
    found = tensor_read_of(node)
    return found is not None and found.kind == "rank"


@cached_on_node
def _rank_names(function: ast.AST) -> frozenset[str]:
    """The variables to which a function assigns a rank."""
    assigned = (one for one in walk(function) if isinstance(one, ast.Assign) and _reads_rank(one.value))
    return frozenset(target.id for one in assigned for target in one.targets if isinstance(target, ast.Name))


def may_be_decided_by_caller(run: Run, test: ast.expr, value: Value) -> bool:
    """Whether a condition with this value is unknown in a function that is called with data.

    What the caller passes belongs together. A condition on elements, `if mask.any():`, has both outcomes in time.
    """
    is_unknown = type(value) in UNKNOWN_KINDS or isinstance(value, (SymbolicArgument, ArgumentPart))
    return is_unknown and _is_called(run.frame) and _has_data(run) and not _reads_system(test)


@contextmanager
def in_branch_of_caller(run: Run) -> Iterator[None]:
    """Runs a branch that the arguments of the caller may exclude."""
    frame = run.frame
    frame.caller_branches += 1
    try:
        yield
    finally:
        frame.caller_branches -= 1


def _has_data(run: Run) -> bool:
    """Whether the caller passed a tensor of which some sizes are known, or a model or another object."""
    names = run.frame.names.fields
    function = run.frame.function
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    return any(_is_data(names.get(one.arg)) for one in (*function.args.posonlyargs, *function.args.args))


def _is_data(value: Value) -> bool:
    return isinstance(value, (Instance, ModuleSpec, Collection)) or (
        isinstance(value, TensorSpec) and (value.rank is not None or value.shape.least_rank > 0)
    )


@cached_on_node
def _may_test_mode(test: ast.expr) -> bool:
    return any(isinstance(one, ast.Compare) and len(one.ops) == 1 for one in walk(test))


def _reads_known_modes(run: Run, test: ast.expr) -> bool:
    """Whether a condition compares an attribute of an object that is one of several known modes."""
    left = test.left if isinstance(test, ast.Compare) else None
    value = read(run, left) if isinstance(left, ast.Attribute) else None
    return isinstance(value, Alternatives)


def _outcome_of_mode(run: Run, test: ast.expr) -> bool | None:
    """The outcome of a condition that implies that a mode is a certain one."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        outcome = _outcome_of_mode(run, test.operand)
        return None if outcome is None else not outcome
    if isinstance(test, ast.BoolOp):
        outcomes = [_outcome_of_mode(run, one) for one in test.values]
        decisive = isinstance(test.op, ast.And)
        if decisive in outcomes or all(one is not None and one is not decisive for one in outcomes):
            return decisive if decisive in outcomes else not decisive
        return None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or _reads_system(test.left):
        return None
    return _outcome_of_comparison(run, test.ops[0], test.left, test.comparators[0])


def _outcome_of_comparison(run: Run, op: ast.cmpop, left: ast.expr, right: ast.expr) -> bool | None:
    if isinstance(op, (ast.In, ast.NotIn)):
        if not isinstance(right, _COLLECTIONS) or not all(map(_is_text, right.elts)):
            return None
        is_open = _is_of_object(run, left) and is_member(read(run, left), read(run, right)) is None
        return isinstance(op, ast.In) if is_open else None
    if not isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
        return None
    if isinstance(right, ast.Constant) and right.value is None:
        return isinstance(op, (ast.Eq, ast.Is)) if _may_be_none(run, left) else None
    mode: Value = right.value if isinstance(right, ast.Constant) else read(run, right)
    if (
        not isinstance(mode, (str, EnumMember))
        or not _is_of_object(run, left)
        or equal(read(run, left), mode) is not None
    ):
        return None
    return isinstance(op, (ast.Eq, ast.Is))


def _may_be_none(run: Run, node: ast.expr) -> bool:
    """Whether a value is an argument or an attribute about which nothing is known."""
    return _is_of_object(run, node) and type(read(run, node)) in UNKNOWN_KINDS


def _is_of_object(run: Run, node: ast.expr) -> bool:
    """Whether a value is a variable or an attribute of a known object, not an option of the whole program."""
    return isinstance(node, ast.Name) or (
        isinstance(node, ast.Attribute) and isinstance(read(run, node.value), Instance)
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@cached_on_node
def _reads_system(node: ast.expr) -> bool:
    """Whether code reads what the program runs on, or whether it trains: no shape is correlated with either."""
    names = (getattr(one, "attr", None) or getattr(one, "id", None) for one in walk(node))
    return any(name in _OF_SYSTEM for name in names)
