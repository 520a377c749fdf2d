"""Mistakes that people make, put into a program: one edit of its text for each place where one can be made.

A mutator looks at one node of the tree and gives edits. What is a tensor, and which size is where, is known from
an ordinary run of the program (`Seen`).
"""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate

Place = tuple[int, int, int, int]
Seen = Mapping[Place, "set[object]"]
"""The ints that an expression was in the run; `Tensor` in it where it was a floating tensor, `IntTensor` another."""


@dataclass(frozen=True)
class Edit:
    """One replacement in the text of a program."""

    kind: str
    node: ast.expr | ast.stmt
    text: str


@dataclass(frozen=True)
class Mutant:
    """A program with one mistake."""

    example: str
    kind: str
    line: int
    source: str = field(repr=False)
    diff: str


def place(node: ast.expr | ast.stmt) -> Place:
    """The position of the node: the key of `Seen`."""
    return (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)


def mutants(example: str, source: str, seen: Seen) -> list[Mutant]:
    """Every mutant of the program, each once, in order of the source."""
    tree = ast.parse(source)
    means = ast.dump(tree)
    found: dict[str, Mutant] = {}
    for node in expressions(tree):
        for edit in edits(node, source, seen):
            mutant = mutant_of(example, source, means, edit)
            if mutant is not None:
                found.setdefault(mutant.source, mutant)
    return list(found.values())


def mutant_of(example: str, source: str, means: str, edit: Edit) -> Mutant | None:
    """The program with the edit made; None if it is the same program. means: the dump of its tree."""
    changed = replaced(source, edit)
    if _means(changed) == means:
        return None
    diff = "\n".join(_changed_lines(source, changed))
    return Mutant(example, edit.kind, edit.node.lineno, changed, diff)


def expressions(tree: ast.Module) -> Iterator[ast.expr]:
    """The expressions of models and losses: not those of annotations, of a configuration or of `main`."""
    waiting: list[ast.AST] = list(reversed(tree.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef) and node.name == "main":
            continue
        if isinstance(node, ast.ClassDef) and node.decorator_list:  # a dataclass of sizes
            continue
        if isinstance(node, ast.expr):
            yield node
        waiting += reversed(list(_below(node)))


def _below(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef):
        yield from node.body
    elif isinstance(node, ast.AnnAssign):
        yield from filter(None, (node.value,))
    elif not isinstance(node, ast.If) or "__name__" not in ast.dump(node.test):
        yield from ast.iter_child_nodes(node)


def edits(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """The mistakes that can be made at this node."""
    for mutator in MUTATORS:
        yield from mutator(node, source, seen)


def replaced(source: str, edit: Edit) -> str:
    """The program with the edit made."""
    starts = [0, *accumulate(map(len, _lines(source)))]
    line, column, end_line, end_column = place(edit.node)
    start, end = starts[line - 1] + column, starts[end_line - 1] + end_column
    return (source.encode()[:start] + edit.text.encode() + source.encode()[end:]).decode()


def _means(source: str) -> str:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError as error:
        raise ValueError(f"a mutator wrote what does not parse:\n{source}") from error


def _changed_lines(before: str, after: str) -> Iterator[str]:
    for line in difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0):
        if line[0] in "+-" and line[:3] not in ("+++", "---"):
            yield f"{line[0]} {line[1:].strip()}"


def text_of(node: ast.expr | ast.stmt, source: str) -> str:
    """The source of the node. `ast.get_source_segment` splits all of the program each time."""
    line, column, end_line, end_column = place(node)
    lines = list(_lines(source)[line - 1 : end_line])
    lines[-1] = lines[-1][:end_column]
    lines[0] = lines[0][column:]
    return b"".join(lines).decode()


@lru_cache(maxsize=4)
def _lines(source: str) -> tuple[bytes, ...]:
    return tuple(source.encode().splitlines(keepends=True))


def atom(node: ast.expr, source: str) -> str:
    simple = isinstance(node, (ast.Call, ast.Name, ast.Attribute, ast.Subscript))
    return text_of(node, source) if simple else f"({text_of(node, source)})"


def method_of(node: ast.expr) -> tuple[ast.Call, ast.expr, str] | None:
    """The call, its receiver and the method's name, where the node is `receiver.method(...)`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node, node.func.value, node.func.attr
    return None


def called(call: ast.Call, arguments: list[str], source: str) -> str:
    return f"{text_of(call.func, source)}({', '.join(arguments)})"


def arguments_of(call: ast.Call, source: str) -> list[str]:
    named = [(one.arg, text_of(one.value, source)) for one in call.keywords]
    return [text_of(one, source) for one in call.args] + [
        f"{name}={value}" if name else f"**{value}" for name, value in named
    ]


_SIZED = {"Linear": 2, "Conv2d": 2, "LayerNorm": 1, "BatchNorm2d": 1, "LSTM": 2, "Embedding": 2}
"""Layers, and how many of their first arguments are widths."""


def width(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """Another width for a layer: a factor forgotten, a factor too many, in and out swapped."""
    method = method_of(node)
    if method is None or text_of(method[1], source) != "nn":
        return
    call, _, name = method
    sizes = call.args[: _SIZED.get(name, 0)]
    for size in sizes:
        factor = isinstance(size, ast.BinOp) and isinstance(size.op, ast.Mult)
        yield Edit("width", size, text_of(size.right, source) if factor else f"2 * {atom(size, source)}")  # type: ignore[attr-defined]
    if len(sizes) == 2:
        arguments = arguments_of(call, source)
        yield Edit("width", call, called(call, [arguments[1], arguments[0], *arguments[2:]], source))


def transpose(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """Axes the wrong way round: another pair, two entries of a permutation swapped, or the call forgotten."""
    method = method_of(node)
    if method is None or method[2] not in ("transpose", "permute"):
        return
    call, receiver, _ = method
    arguments = arguments_of(call, source)
    yield Edit("transpose", call, text_of(receiver, source))
    for at in range(len(arguments) - 1) if len(arguments) > 2 else ():
        swapped = [*arguments[:at], arguments[at + 1], arguments[at], *arguments[at + 2 :]]
        yield Edit("transpose", call, called(call, swapped, source))
    if len(arguments) == 2:
        yield Edit("transpose", call, called(call, ["0", arguments[1]], source))


def keepdim(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """`keepdim=True` forgotten."""
    if isinstance(node, ast.Call) and any(one.arg == "keepdim" for one in node.keywords):
        kept = [one for one in arguments_of(node, source) if not one.startswith("keepdim=")]
        yield Edit("keepdim", node, called(node, kept, source))


def cast(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """A floating tensor cast to another dtype."""
    if seen.get(place(node)) == {"Tensor"}:
        for suffix in (".double()", ".half()", ".long()"):
            yield Edit("cast", node, atom(node, source) + suffix)


def hard_coded(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """The size of the day in place of what says it."""
    sizes = seen.get(place(node), set())
    if len(sizes) == 1 and isinstance(size := next(iter(sizes)), int) and not isinstance(node, ast.Constant):
        yield Edit("hard-coded size", node, str(size))


def squeeze(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """A squeeze without its axis, forgotten, or where none belongs."""
    method = method_of(node)
    if method is not None and method[2] == "squeeze":
        call, receiver, _ = method
        yield Edit("squeeze", call, text_of(receiver, source))
        yield Edit("squeeze", call, f"{text_of(receiver, source)}.squeeze()")
        yield Edit("squeeze", call, f"{text_of(receiver, source)}.squeeze(0)")
    elif seen.get(place(node)) == {"Tensor"}:
        yield Edit("squeeze", node, f"{atom(node, source)}.squeeze()")


def unsqueeze(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """An axis of size 1 forgotten, or put elsewhere."""
    method = method_of(node)
    if method is not None and method[2] == "unsqueeze":
        call, receiver, _ = method
        yield Edit("unsqueeze", call, text_of(receiver, source))
        yield Edit("unsqueeze", call, f"{text_of(receiver, source)}.unsqueeze(0)")
    elif isinstance(node, ast.Subscript) and re.fullmatch(r":, None", text_of(node.slice, source)):
        yield Edit("unsqueeze", node, text_of(node.value, source))
        yield Edit("unsqueeze", node, f"{text_of(node.value, source)}[None]")


def view(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """`view` where the data may not lie like that."""
    method = method_of(node)
    if method is not None and method[2] == "reshape":
        call, receiver, _ = method
        yield Edit("view", call, f"{text_of(receiver, source)}.view({', '.join(arguments_of(call, source))})")
    elif method is not None and method[2] == "contiguous":
        yield Edit("view", node, text_of(method[1], source))


def shared(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """One layer instead of the number that is needed."""
    if not isinstance(node, (ast.GeneratorExp, ast.ListComp)) or len(node.generators) != 1:
        return
    loop, element = node.generators[0].iter, node.elt
    if isinstance(loop, ast.Call) and text_of(loop.func, source) == "range" and isinstance(element, ast.Call):
        yield Edit("shared layer", node, f"([{text_of(element, source)}] * ({text_of(loop.args[0], source)}))")


def matmul(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """The operands of a matrix product the wrong way round."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield Edit("matmul", node, f"{atom(node.right, source)} @ {atom(node.left, source)}")


_AXIS_FIRST = {"softmax", "mean", "sum", "flatten", "chunk", "cat", "argmax"}


def axis(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """Another axis of a softmax, a mean, a join; a batch that is not first."""
    if not isinstance(node, ast.Call):
        return
    given = [one.value for one in node.keywords if one.arg == "dim"]
    method = method_of(node)
    functional = method is not None and text_of(method[1], source) in ("torch", "F")
    if not given and method is not None and method[2] in _AXIS_FIRST and not functional:
        given = node.args[:1]
    for one in given:
        for other in _other_axes(text_of(one, source)):
            yield Edit("axis", one, other)
    if any(one.arg == "batch_first" for one in node.keywords):
        kept = [one for one in arguments_of(node, source) if not one.startswith("batch_first=")]
        yield Edit("axis", node, called(node, kept, source))


def _other_axes(text: str) -> Iterator[str]:
    numbers = [int(one) for one in re.findall(r"-?\d+", text)]
    if len(numbers) == 1:
        yield str(numbers[0] - 1)
        yield str(numbers[0] + 1 if numbers[0] >= 0 else 0)
    elif numbers:
        yield f"({', '.join(str(one - 1) for one in numbers)})"
        yield f"({', '.join(map(str, numbers[1:]))},)"


Mutator = Callable[[ast.expr, str, Seen], Iterator[Edit]]
MUTATORS: tuple[Mutator, ...] = (
    *(width, transpose, keepdim, cast, hard_coded, squeeze),
    *(unsqueeze, view, shared, matmul, axis),
)
