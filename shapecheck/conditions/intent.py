"""What the source shows about the intent of a broadcast."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from shapecheck.conditions.stated_shapes import Sizes, stated_shapes
from shapecheck.lazy_pattern import lazy_pattern
from shapecheck.spec import Shape, same

_WORDS: Final = frozenset(
    """
    None newaxis unsqueeze unsqueezed expand expanded view reshape reshaped rearrange rearranged meshgrid outer
    """.split()
)
_PART: Final = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A part of an identifier: `expand` and `as` of `expand_as`, `Outer` and `Product` of `OuterProduct`."""

_INSERTING: Final = frozenset(("unsqueeze", "expand_dims"))
_RESHAPING: Final = frozenset(("view", "reshape"))
_KEEPING: Final = frozenset(
    "bool clone contiguous cpu cuda detach double float half int long requires_grad_ to type type_as".split()
)
"""Methods that keep the values and the shape."""
_RANGES: Final = frozenset(("arange", "linspace", "logspace"))
_ELEMENTWISE: Final = frozenset(
    """
    abs ceil clamp cos digamma erf erfc exp exp2 expm1 flip floor gammaln lgamma log log10 log1p log2 neg pow reciprocal
    round rsqrt sigmoid sin softmax sqrt square tan tanh
    """.split()
)
"""Functions of one tensor that keep its shape, but not its values."""
_MOST_STEPS: Final = 32

_Block = list[ast.stmt]


def mentions_pairs(source: str) -> bool:
    """Whether a part of an identifier in the source is such a word: of `x.view(-1, 1)`, but not of `preview`."""
    return any(part in _WORDS or part.lower() in _WORDS for part in _PART.findall(source))


class Intent(NamedTuple):
    """What the source around an operator shows about its result."""

    is_outer: bool = False
    """Every pair is intended.

    Both operands have inserted axes, or have the same values, or are ranges, or one is a range with an inserted axis.
    """
    inserts: bool = False
    """An axis was inserted in an operand."""
    stated: tuple[Sizes, ...] = ()
    """The shapes that the source states for the result."""

    def covers(self, result: Shape) -> bool:
        """Whether the source shows that this outer result is intended."""
        return self.is_outer or any(_states(sizes, result) for sizes in self.stated)


def _states(sizes: Sizes, result: Shape) -> bool:
    if len(sizes) != result.rank:
        return False
    pairs = zip(sizes, result.dims, strict=True)
    return all(size is None or (same(size, dim) is not False and (size != 1 or dim == 1)) for size, dim in pairs)


def intent_of(tree: ast.AST, node: ast.AST, operands: tuple[ast.expr, ast.expr] | None = None) -> Intent:
    """The intent of the operator at a node of a file's tree; its first two operands if none are given."""
    functions, block, index = _surroundings(tree, node)
    function = functions[-1] if functions else None
    assigned = _assigned_once(tree if function is None else function)
    stated = () if block is None else tuple(stated_shapes(block, index, function.returns if function else None))
    pair = operands or _operands(node) or ()
    inserts = any(_inserts(one, assigned) for one in pair)
    is_summed = inserts and block is not None and _is_summed_over_pairs(block[index], node)
    return Intent(is_summed or _is_outer(pair, assigned), inserts, stated)


def _is_summed_over_pairs(statement: ast.stmt, node: ast.AST) -> bool:
    """Whether it is the sum in `logsumexp(log_p + x[:, None], -1)`, a product of probabilities for each pair."""
    calls = (one for one in ast.walk(statement) if isinstance(one, ast.Call) and one.args and one.args[0] is node)
    return any(getattr(one.func, "attr", getattr(one.func, "id", "")) == "logsumexp" for one in calls)


# -- where a node is


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _surroundings(tree: ast.AST, node: ast.AST) -> tuple[list[_Function], _Block | None, int]:
    """The functions around a node, outermost first, and its innermost block with the index of its statement there."""
    functions: list[_Function] = []
    found: tuple[_Block | None, int] = (None, 0)
    waiting = [tree]
    while waiting:
        parent = waiting.pop()
        for block in _blocks(parent):
            for index, statement in enumerate(block):
                if _contains(statement, node):
                    found = block, index
                    functions += [statement] if isinstance(statement, _Function) else []
                    waiting = [statement]
    return functions, *found


def _blocks(node: ast.AST) -> Iterator[_Block]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
    for name in ("handlers", "cases"):
        yield from (one.body for one in getattr(node, name, ()))


def _contains(statement: ast.stmt, node: ast.AST) -> bool:
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    end = statement.end_lineno or statement.lineno, statement.end_col_offset or 0
    return (statement.lineno, statement.col_offset) <= (line, column) < end


# -- what the operands are


def _is_outer(operands: tuple[ast.expr, ...], assigned: Mapping[str, ast.expr]) -> bool:
    if not operands or any(_inserts(one, assigned, of_range=True) for one in operands):
        return bool(operands)
    left, right = (_history(one, assigned) for one in operands)
    if left.inserts and right.inserts:
        return True
    itself = {ast.dump(one) for one in left.forms if _is_plain(one)}.intersection(map(ast.dump, right.forms))
    return bool(itself) or (_is_range(left.forms[-1], assigned) and _is_range(right.forms[-1], assigned))


def _inserts(node: ast.expr, assigned: Mapping[str, ast.expr], *, of_range: bool = False) -> bool:
    """Whether an axis was inserted in an operand or in what it is computed from elementwise, optionally in a range."""
    for _ in range(_MOST_STEPS):
        found = _history(node, assigned)
        if found.inserts:
            return not of_range or _is_range(found.forms[-1], assigned)
        inner = _argument_of_elementwise(found.forms[-1])
        if inner is None:
            return False
        node = inner
    return False


def _argument_of_elementwise(node: ast.expr) -> ast.expr | None:
    """`x` of `torch.log(x)`, `x.log()` and `x + 1`."""
    if isinstance(node, ast.BinOp) and (number := next(filter(_is_number, (node.left, node.right)), None)) is not None:
        return node.left if number is node.right else node.right
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _ELEMENTWISE:
        return None
    root = receiver = node.func.value
    while isinstance(root, ast.Attribute):
        root = root.value
    is_function = isinstance(root, ast.Name) and root.id in ("torch", "F") and bool(node.args)
    return node.args[0] if is_function else receiver


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression has the same values each time, unlike `torch.randn(4)`."""
    return not any(isinstance(one, ast.Call) for one in ast.walk(node))


def _operands(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The two operands of an operator, a method or a function."""
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    if isinstance(node, ast.AugAssign):
        return node.target, node.value
    if isinstance(node, ast.Compare) and len(node.comparators) == 1:
        return node.left, node.comparators[0]
    if not isinstance(node, ast.Call):
        return None
    given = [*node.args, *(one.value for one in node.keywords if one.arg in ("input", "other", "target"))]
    if len(given) == 1 and isinstance(node.func, ast.Attribute):
        given.insert(0, node.func.value)
    return (given[0], given[1]) if len(given) > 1 else None


class _History(NamedTuple):
    """An operand, and the expressions that it has its values from, last first."""

    forms: list[ast.expr]
    inserts: bool
    """Whether axes were inserted on the way."""


def _history(node: ast.expr, assigned: Mapping[str, ast.expr]) -> _History:
    """Follows an operand back through names, inserted axes, reshapes and conversions."""
    forms, inserts = [node], False
    while len(forms) < _MOST_STEPS:
        if isinstance(node, ast.Name) and node.id in assigned:
            node = assigned[node.id]
        elif isinstance(node, ast.Subscript) and _is_insertion(node.slice):
            node, inserts = node.value, True
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, receiver = node.func.attr, node.func.value
            if name not in _INSERTING | _RESHAPING | _KEEPING:
                break
            is_function = isinstance(receiver, ast.Name) and receiver.id == "torch" and bool(node.args)
            node, inserts = node.args[0] if is_function else receiver, inserts or name in _INSERTING
        else:
            break
        forms.append(node)
    return _History(forms, inserts)


def _is_insertion(index: ast.expr) -> bool:
    """Whether a subscript only inserts axes: `x[:, None]`."""
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(map(_is_none, parts)) and all(_is_none(one) or _is_everything(one) for one in parts)


def _is_none(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is None
    return (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")) == "newaxis"


def _is_everything(node: ast.expr) -> bool:
    if isinstance(node, ast.Slice):
        return node.lower is None and node.upper is None and node.step is None
    return isinstance(node, ast.Constant) and node.value is ...


def _is_range(node: ast.expr, assigned: Mapping[str, ast.expr], depth: int = 0) -> bool:
    """Whether an expression is `arange` or the like, or a function of its elements."""
    node = _history(node, assigned).forms[-1]
    if isinstance(node, ast.BinOp) and depth < _MOST_STEPS:
        return any(_is_range(one, assigned, depth + 1) for one in (node.left, node.right))
    if (inner := _argument_of_elementwise(node)) is not None and depth < _MOST_STEPS:
        return _is_range(inner, assigned, depth + 1)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _RANGES


def _assigned_once(scope: ast.AST) -> dict[str, ast.expr]:
    """The names that a function or module binds only once, by an assignment, with their values."""
    values: dict[str, ast.expr] = {}
    bound: set[str] = set()
    again: set[str] = set()
    for node in ast.walk(scope):
        name = _bound_name(node)
        if name is not None:
            (again if name in bound else bound).add(name)
        values.update(_assignments(node))
    return {name: value for name, value in values.items() if name not in again}


def _bound_name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, (ast.Store, ast.Del)) else None
    return node.arg if isinstance(node, ast.arg) else None


def _assignments(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement assigns, with their values."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
        yield node.target.id, node.value
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        targets, values = [target], [node.value]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            targets, values = target.elts, node.value.elts
        yield from ((one.id, value) for one, value in zip(targets, values, strict=False) if isinstance(one, ast.Name))
