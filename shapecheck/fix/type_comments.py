"""Function type comments: `# type: (Tensor) -> Tensor`, which pyrefly and ty do not read, as annotations."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from shapecheck.fix.optional import none_by_default
from shapecheck.fix.signature import Edit
from shapecheck.fix.unannotated import annotate, parameters
from shapecheck.project.scope import FunctionNode
from shapecheck.project.source import SourceFile


@dataclass(frozen=True, slots=True)
class TypeComment:
    """The types of a function: `arguments` is None if each parameter has its own comment, `(...)`."""

    arguments: list[str] | None
    returns: str

    def edits(self, node: FunctionNode, source: SourceFile) -> list[Edit] | None:
        """The edits that write the types of the parameters into the signature; None if the numbers differ."""
        if self.arguments is None:
            return []
        named = parameters(node.args)
        if len(named) == len(self.arguments) + 1:
            named = named[1:]
        if len(named) != len(self.arguments):
            return None
        return [
            annotate(argument, source, _admitting_none(text, argument.arg in none_by_default(node.args)))
            for argument, text in zip(named, self.arguments, strict=True)
        ]


def _admitting_none(annotation: str, default_is_none: bool) -> str:
    admits = any(name in annotation for name in ("None", "Optional", "Any", "object"))
    return f"{annotation} | None" if default_is_none and not admits else annotation


def read_type_comment(comment: str) -> TypeComment | None:
    """The types in a comment that starts with `# type:`; None if it is malformed."""
    text = comment.partition(":")[2].partition("#")[0].strip()
    try:
        parsed = ast.parse(text, mode="func_type")
    except (SyntaxError, ValueError):
        return None
    assert isinstance(parsed, ast.FunctionType)
    arguments = [ast.unparse(argument) for argument in parsed.argtypes]
    return TypeComment(None if arguments == ["..."] else arguments, ast.unparse(parsed.returns))
