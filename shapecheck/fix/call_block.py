"""Generates the typed `__call__` of one class, as lines of source."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace

from shapecheck.fix.black_lines import LineFrame, call_lines, result_lines
from shapecheck.fix.decorators import COPIED, is_named
from shapecheck.fix.generated_calls import MARKER
from shapecheck.fix.layout import Pragmas, lay_out
from shapecheck.fix.model import FixOptions, Style
from shapecheck.fix.optional import optional_edits
from shapecheck.fix.pragmas import about_overriding, copied, is_only_pragma, is_type
from shapecheck.fix.signature import Edit, Signature, comments, on_one_line
from shapecheck.fix.type_comments import read_type_comment
from shapecheck.fix.unannotated import any_edits
from shapecheck.project.scope import Class, FunctionNode
from shapecheck.project.typing_names import typing_name

_LEADING_COMMENT = re.compile(r"[ \t]*(#[^\r\n]*)(?=\r|\n)")
_TYPE_COMMENT = re.compile(r"[^#]*(#\s*type:(?!\s*ignore\b).*?)\s*$")
_SHADOWED = frozenset({*COPIED, "overload"})


@dataclass(slots=True)
class CallBlock:
    """The lines to insert, without line ends, and the names that the file must import from `typing` for them."""

    lines: list[str] = field(default_factory=list)
    missing: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Writer:
    cls: Class
    options: FixOptions
    overrides: bool
    indent: str
    step: str
    block: CallBlock = field(default_factory=CallBlock)

    def name(self, name: str) -> str:
        """How this file spells `typing.<name>`; if it has no name for it, the import is recorded."""
        found = typing_name(self.cls.file, name, self.cls.line)
        if found is None:
            self.block.missing.add(name)
        return found or name

    @property
    def frame(self) -> LineFrame:
        inner = self.indent + (self.step if self.options.style is Style.TYPING else "")
        return LineFrame("__call__", inner, self.step, self.options.width)


def build_block(
    cls: Class, forwards: tuple[FunctionNode, ...], options: FixOptions, *, overrides: bool
) -> CallBlock | None:
    """The `__call__` for a class whose forward is `forwards`: overloads first, the definition last.

    Without forwards, everything is Any. None if a signature cannot be parsed.
    """
    writer = _Writer(cls, options, overrides, *_indents(cls))
    if options.style is Style.TYPING:
        writer.block.lines += [f"{writer.indent}if {writer.name('TYPE_CHECKING')}:  {MARKER}", ""]
    if not forwards:
        _write_any(writer)
        return writer.block
    for number, forward in enumerate(forwards):
        if number:
            writer.block.lines.append("")
        if not _write(writer, forward, is_overload=number + 1 < len(forwards)):
            return None
    return writer.block


def _indents(cls: Class) -> tuple[str, str]:
    """The indentation of the class body, and one more level of it."""
    lines = cls.file.source.lines
    outer = _indent_of(lines[cls.node.lineno - 1])
    inner = _indent_of(lines[_line_of_member(cls) - 1])
    return inner, inner.removeprefix(outer) or "    "


def _line_of_member(cls: Class) -> int:
    return next((node.lineno for node in cls.node.body if node.lineno > cls.line), cls.line)


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _write_any(writer: _Writer) -> None:
    any_ = writer.name("Any")
    indent = writer.frame.indent
    head = f"{indent}def __call__(self, *args: {any_}, **kwargs: {any_}) -> {any_}:"
    if writer.options.style is Style.TYPING:
        writer.block.lines.append(f"{head} ...")
    else:
        body = f"{indent}{writer.step}return super().__call__(*args, **kwargs)"
        writer.block.lines += [f"{head}  {MARKER}", body]


def _write(writer: _Writer, forward: FunctionNode, *, is_overload: bool) -> bool:
    source = writer.cls.file.source
    original = Signature.read(forward, source)
    if original is None or not _can_be_written(writer, forward):
        return False
    last = _comment_after(original, forward, writer)
    comment = _type_comment(forward, original, writer)
    edits, returns = _types(forward, original, comment, writer)
    first, original, wanted = _without_leading_comment(original, writer.overrides, edits)
    if not wanted.returns and returns:
        wanted = replace(wanted, returns=returns)
    _write_decorators(writer, forward)
    tail, body = _body(writer, forward, wanted, comment, is_overload)
    lines = lay_out(original, wanted, writer.frame, tail, Pragmas(first, last))
    writer.block.lines += [*lines, *body]
    return True


def _types(forward: FunctionNode, signature: Signature, comment: str, writer: _Writer) -> tuple[list[Edit], str]:
    """The edits that complete the types of the parameters, and the type of a result that has no annotation."""
    if comment and writer.options.style is Style.RUNTIME:
        return [], ""  # names in a comment may exist only for type checkers
    source = writer.cls.file.source
    types = read_type_comment(comment) if comment else None
    edits = types.edits(forward, source) if types else None
    if types and edits is not None:
        return edits, types.returns
    edits = optional_edits(forward, writer.cls.file)
    if not any(map(is_type, comments(signature.parameters))):
        edits += any_edits(forward, source, lambda: writer.name("Any"))
    return edits, "" if signature.returns else writer.name("Any")


def _can_be_written(writer: _Writer, forward: FunctionNode) -> bool:
    """A real method calls `super()`, which needs a first parameter."""
    return writer.options.style is Style.TYPING or bool(forward.args.posonlyargs or forward.args.args)


def _without_leading_comment(
    original: Signature, overrides: bool, edits: list[Edit]
) -> tuple[str, Signature, Signature]:
    """Remove a pragma directly after the opening parenthesis from a signature, before and after editing."""
    wanted = original.edited(edits)
    found = _LEADING_COMMENT.match(original.parameters)
    if found is None or not is_only_pragma(found[1]):
        return "", original, wanted
    cut = found.end()
    return (
        copied(found[1], overrides),
        replace(original, parameters=original.parameters[cut:]),
        replace(wanted, parameters=wanted.parameters[cut:]),
    )


def _comment_after(signature: Signature, forward: FunctionNode, writer: _Writer) -> str:
    """The pragmas that follow the colon."""
    text = writer.cls.file.source.text
    end = min(
        (i for i in (text.find("\n", signature.end), text.find("\r", signature.end)) if i >= 0),
        default=len(text),
    )
    rest = text[signature.end + 1 : end].strip()
    if rest.startswith("#"):
        return copied(rest, writer.overrides)
    return about_overriding("".join(comments(rest))) if writer.overrides else ""


def _type_comment(forward: FunctionNode, signature: Signature, writer: _Writer) -> str:
    """`# type: (Tensor) -> Tensor` between the colon and the first statement."""
    source = writer.cls.file.source
    first = source.offset(forward.body[0].lineno, forward.body[0].col_offset)
    for line in source.text[signature.end + 1 : first].splitlines():
        found = _TYPE_COMMENT.match(line)
        if found:
            return found[1]
    return ""


def _write_decorators(writer: _Writer, forward: FunctionNode) -> None:
    source = writer.cls.file.source
    for decorator in forward.decorator_list:
        if is_named(decorator, _SHADOWED):
            text = ast.get_source_segment(source.text, decorator) or ast.unparse(decorator)
            writer.block.lines.append(
                f"{writer.frame.indent}@{text if chr(10) not in text else ast.unparse(decorator)}"
            )


def _body(
    writer: _Writer, forward: FunctionNode, wanted: Signature, type_comment: str, is_overload: bool
) -> tuple[str, list[str]]:
    """What follows the colon on its line, and the lines after it."""
    inner = writer.frame.indent + writer.step
    if writer.options.style is Style.TYPING:
        return " ...", []
    if is_overload:
        return f" ...  {MARKER}", []
    comment = [inner + type_comment] if type_comment else []
    return f"  {MARKER}", [*comment, *_forwarding(writer, forward, wanted)]


def _forwarding(writer: _Writer, forward: FunctionNode, wanted: Signature) -> list[str]:
    """The statements that forward a call to the `__call__` of nn.Module."""
    inner = replace(writer.frame, indent=writer.frame.indent + writer.step)
    call = "await super().__call__" if isinstance(forward, ast.AsyncFunctionDef) else "super().__call__"
    passed = _passed(forward.args)
    if wanted.returns == "None":
        return call_lines(call, passed, inner)
    if forward.returns is None:
        return call_lines(f"return {call}", passed, inner)
    return [*result_lines(on_one_line(wanted.returns), call, passed, inner), f"{inner.indent}return result"]


def _passed(arguments: ast.arguments) -> list[str]:
    positional = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]][1:]
    passed = [*positional, *([f"*{arguments.vararg.arg}"] if arguments.vararg else [])]
    passed += [f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs]
    return [*passed, *([f"**{arguments.kwarg.arg}"] if arguments.kwarg else [])]
