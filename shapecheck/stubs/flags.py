"""Classes whose forward returns a Tensor, or a pair where a constructor flag is set (`return_indices`).

Torch does not annotate the result of such a forward, and a checker infers the union, which is wrong for most calls. The
patch generated here makes the class generic in the result and overloads its constructor: False, True by keyword, or
unknown (Any).
"""

from __future__ import annotations

import ast
import copy

_RESULTS = (("Literal[False]", "Tensor"), ("Literal[True]", "tuple[Tensor, Tensor]"), ("bool", "Any"))


def flag_classes(tree: ast.Module, flag: str) -> str:
    """The patch classes for the classes of `tree` that have the flag and a forward without a result type."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    texts = []
    for cls in classes.values():
        forward = _method(cls, "forward")
        init = _inherited_init(cls, classes)
        if forward is None or forward.returns is not None or init is None or flag not in _names(init):
            continue
        lines = [f"class {cls.name}({', '.join([*map(ast.unparse, cls.bases), 'Generic[_R_co]'])}):"]
        for kind, result in _RESULTS:
            arguments = _arguments(init, flag, kind, f"{cls.name}[{result}]")
            lines += ["    @overload", f"    def __init__({ast.unparse(arguments)}) -> None: ..."]
        lines.append(f"    def forward({ast.unparse(forward.args)}) -> _R_co: ...")
        texts.append("\n".join(lines))
    return "\n\n".join(texts)


def _arguments(init: ast.FunctionDef, flag: str, kind: str, own: str) -> ast.arguments:
    """The constructor's parameters with `self: own` and `flag: kind`; Literal[True] must be given, by keyword."""
    made = copy.deepcopy(init.args)
    index = _names(init).index(flag)
    made.args[0].annotation = ast.parse(own, mode="eval").body
    made.args[index].annotation = ast.parse(kind, mode="eval").body
    if kind == "Literal[True]":
        kept = len(made.defaults) - (len(made.args) - index)
        made.kwonlyargs = [*made.args[index:], *made.kwonlyargs]
        made.kw_defaults = [None, *made.defaults[kept + 1 :], *made.kw_defaults]
        made.args, made.defaults = made.args[:index], made.defaults[:kept]
    return made


def _names(init: ast.FunctionDef) -> list[str]:
    return [parameter.arg for parameter in init.args.args]


def _method(cls: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    return next((node for node in cls.body if isinstance(node, ast.FunctionDef) and node.name == name), None)


def _inherited_init(cls: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> ast.FunctionDef | None:
    """The constructor of the class or of its bases in the same file."""
    own = _method(cls, "__init__")
    if own is not None:
        return own
    bases = [classes[base.id] for base in cls.bases if isinstance(base, ast.Name) and base.id in classes]
    return next((init for base in bases if (init := _inherited_init(base, classes)) is not None), None)
