"""Mistakes that the checks of models of libraries exist for, in addition to those of `benchmarks.mutators`.

As there, a mutator looks at one node of the tree and gives edits of the text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.mutators import (
    MUTATORS,
    Edit,
    Mutator,
    Seen,
    arguments_of,
    atom,
    called,
    method_of,
    place,
    text_of,
)
from benchmarks.zoo_mutations.watching import Watched


def mistakes(source: str, seen: Watched) -> list[Edit]:
    """Every mistake in the code that the model runs, in order of the source."""
    tree = ast.parse(source)
    return [edit for node in _nodes(tree, seen) for edit in _edits(node, source, seen.values)]


def _nodes(tree: ast.Module, seen: Watched) -> Iterator[ast.expr | ast.stmt]:
    """The nodes of functions that ran, and the statements of the classes that the model consists of."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and _ran(node, seen):
            yield from _inside(node)
        elif isinstance(node, ast.ClassDef) and node.name in seen.classes:
            for member in node.body:
                if not isinstance(member, ast.FunctionDef):
                    yield member
                elif _ran(member, seen) or member.name == "_init_weights":
                    yield from _inside(member)


def _ran(function: ast.FunctionDef, seen: Watched) -> bool:
    """The first line of a function is that of its first decorator."""
    return min([function.lineno, *(one.lineno for one in function.decorator_list)]) in seen.functions


def _inside(function: ast.FunctionDef) -> Iterator[ast.expr | ast.stmt]:
    """Without annotations, defaults and decorators."""
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, (ast.expr, ast.stmt)):
                yield node


def _edits(node: ast.expr | ast.stmt, source: str, seen: Seen) -> Iterator[Edit]:
    if isinstance(node, ast.stmt):
        for mutate in STATEMENTS:
            yield from mutate(node, source)
    else:
        for mutator in (*MUTATORS, *EXPRESSIONS):
            yield from mutator(node, source, seen)


def dtype(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """Numbers in another precision than those of the model."""
    for one in node.keywords if isinstance(node, ast.Call) else ():
        if one.arg == "dtype" and "int" not in text_of(one.value, source):
            yield Edit("dtype", one.value, "torch.float64")
    method = method_of(node)
    if method is not None and method[2] == "float":
        yield Edit("dtype", node, f"{atom(method[1], source)}.double()")


def device(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """A tensor made on the default device."""
    if isinstance(node, ast.Call) and any(one.arg == "device" for one in node.keywords):
        kept = [one for one in arguments_of(node, source) if not one.startswith("device=")]
        yield Edit("device", node, called(node, kept, source))


def head_count(node: ast.stmt, source: str) -> Iterator[Edit]:
    """Another number of heads, or another size of one."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.expr):
        names = [one.attr for one in node.targets if isinstance(one, ast.Attribute)]
        if any("head" in name for name in names) and not isinstance(node.value, ast.Call):
            yield Edit("head count", node.value, f"2 * {atom(node.value, source)}")
            yield Edit("head count", node.value, f"{atom(node.value, source)} + 1")


def lost_state(node: ast.stmt, source: str) -> Iterator[Edit]:
    """A buffer, a parameter or layers that the module does not register."""
    if isinstance(node, ast.Expr) and (method := method_of(node.value)) and method[2] == "register_buffer":
        call, receiver, _ = method
        if len(call.args) == 2 and isinstance(call.args[0], ast.Constant):
            value = text_of(call.args[1], source)
            yield Edit("lost state", node, f"{text_of(receiver, source)}.{call.args[0].value} = {value}")
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and node.value.args:
        made = text_of(node.value.func, source)
        if made in ("nn.Parameter", "nn.ModuleList", "torch.nn.Parameter"):
            yield Edit("lost state", node.value, f"{text_of(node.value.args[0], source)}".join("()"))


def non_finite(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """A root or a logarithm of numbers that can be negative, or a division by what can be zero."""
    if seen.get(place(node)) == {"Tensor"}:
        yield Edit("non-finite", node, f"{atom(node, source)}.sqrt()")
        yield Edit("non-finite", node, f"{atom(node, source)}.log()")
        yield Edit("non-finite", node, f"({atom(node, source)} / {atom(node, source)}.relu())")


def detached(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """The backward pass ends here."""
    if seen.get(place(node)) == {"Tensor"}:
        yield Edit("detach", node, f"{atom(node, source)}.detach()")


def mask(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """A mask that is not passed on."""
    for one in [*node.args, *(one.value for one in node.keywords)] if isinstance(node, ast.Call) else ():
        if isinstance(one, ast.Name) and "mask" in one.id:
            yield Edit("mask", one, "None")


def cache(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """Keys and values that are not kept, or positions that begin at zero again."""
    method = method_of(node)
    if method is None:
        return
    call, receiver, name = method
    if "cache" not in text_of(receiver, source) and "past" not in text_of(receiver, source):
        return
    if name == "update" and len(call.args) >= 2:
        first, second = (text_of(one, source) for one in call.args[:2])
        yield Edit("cache", node, f"({first}, {second})")
        yield Edit("cache", node, called(call, [second, first, *arguments_of(call, source)[2:]], source))
        yield Edit("cache", node, f"({text_of(node, source)}[0], {second})")
    elif name == "get_seq_length":
        yield Edit("cache", node, "0")
        yield Edit("cache", node, f"({text_of(node, source)} + 1)")


def tie(node: ast.stmt, source: str) -> Iterator[Edit]:
    """Weights that the library no longer ties."""
    if isinstance(node, ast.Assign) and text_of(node.targets[0], source) == "_tied_weights_keys":
        yield Edit("tie", node.value, "{}")
        if isinstance(node.value, ast.Dict) and len(node.value.keys) > 1:
            entries = [
                f"{text_of(key, source)}: {text_of(value, source)}"
                for key, value in zip(node.value.keys, node.value.values, strict=True)
                if key is not None
            ]
            for at in range(len(entries)):
                yield Edit("tie", node.value, "{" + ", ".join(entries[:at] + entries[at + 1 :]) + "}")


def initialization(node: ast.stmt, source: str) -> Iterator[Edit]:
    """A model that does not call its initialization, or a parameter that keeps what was in its memory.

    Without one call of `nn.init` a parameter keeps the values that its layer gave it, which are valid too.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        names = [text_of(one, source) for one in (node.value.func, *node.value.args)]
        if names[0].startswith("self.") and any("init_" in name or name.endswith("post_init") for name in names):
            yield Edit("initialization", node, "pass")
    for call in ast.walk(node) if isinstance(node, ast.Assign) else ():
        if isinstance(call, ast.Call) and text_of(call.func, source) in ("torch.zeros", "torch.ones", "torch.randn"):
            yield Edit("initialization", call.func, "torch.empty")


def recomputation(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """A step that is left out where activations are computed again."""
    if isinstance(node, ast.Call) and text_of(node.func, source).rpartition(".")[2] in ("checkpoint", "checkpoint_seq"):
        steps, *given = node.args
        if text_of(node.func, source).endswith("checkpoint_seq"):
            yield Edit("recomputation", steps, f"{atom(steps, source)}[1:]")
            yield Edit("recomputation", steps, f"{atom(steps, source)}[:-1]")
        elif given:
            yield Edit("recomputation", node, text_of(given[0], source))
            yield Edit("recomputation", given[0], f"{atom(given[0], source)}.detach()")


def scale(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """A factor that is forgotten."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and "scal" in text_of(node.right, source):
        yield Edit("scale", node, text_of(node.left, source))


def in_place(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """A result written over an operand."""
    methods = {ast.Add: "add_", ast.Mult: "mul_", ast.Sub: "sub_"}
    if isinstance(node, ast.BinOp) and type(node.op) in methods and seen.get(place(node)) == {"Tensor"}:
        method = methods[type(node.op)]
        yield Edit("in place", node, f"{atom(node.left, source)}.{method}({text_of(node.right, source)})")


def evaluation(node: ast.expr, source: str, seen: Seen) -> Iterator[Edit]:
    """Noise in evaluation too."""
    if isinstance(node, ast.Attribute) and text_of(node, source) == "self.training":
        yield Edit("evaluation", node, "True")
    if isinstance(node, ast.Call) and any(one.arg == "training" for one in node.keywords):
        kept = [one for one in arguments_of(node, source) if not one.startswith("training=")]
        yield Edit("evaluation", node, called(node, kept, source))


EXPRESSIONS: tuple[Mutator, ...] = (
    *(dtype, device, non_finite, detached, mask, cache),
    *(recomputation, scale, in_place, evaluation),
)
STATEMENTS = (head_count, lost_state, tie, initialization)
