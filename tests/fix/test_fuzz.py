"""Damaged sources: whatever is done to the test data, the fixer neither falls over nor touches what is not its own.

The same examples each time by default; `SHAPECHECK_FUZZ_EXAMPLES=1000` gives that many new ones.
"""

from __future__ import annotations

import ast
import difflib
import random
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import libcst as cst
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shapecheck.fix.model import FixStatus
from shapecheck.project.source import SourceError, SourceFile
from tests.amount import amount

from .support import change_cases, fix_bytes, keep_cases

SAME = 50
EXAMPLES = amount("SHAPECHECK_FUZZ_EXAMPLES", short=SAME, long=1000)
MARKER = "# shapecheck: from forward"

_TOKEN = re.compile(r"\w+|[^\w\s]|\s+")
_ODD = [
    "\f",
    "\t",
    "\r",
    "\\\n",
    "\x00",
    "\u2028",
    "é",
    "🙂",
    "\ufeff",
    '"""',
    "'",
    "#",
    ";",
    ":",
    "(",
    ")",
    "\x0b",
    "\x85",
]
_LINES = [
    *("    pass", "    x = 1", "        return None", "# a comment", "class Extra:", "from typing import Any"),
    *("    forward = None", "    @property", "    def __call__(self): ...", "import typing", "if True:"),
    *("    del forward", "    async def forward(self, x: int) -> int: ...", "model = nn.Linear(1, 1)", "else:"),
    *("y = model.forward(x)", "    forward: object", "    def forward(self, *, a: int) -> int: return a", "try:"),
    "    if TYPE_CHECKING:  # shapecheck: from forward",
]


def _seeds() -> list[str]:
    texts = []
    for case in change_cases() + keep_cases():
        if not case.too_new:
            for raw in {case.raw, case.expected}:
                try:
                    texts.append(raw.decode("utf-8"))
                except UnicodeDecodeError:
                    continue
    return sorted(set(texts))


SEEDS = _seeds()


# -- mutations -------------------------------------------------------------------------------------------------------


def _pieces(text: str, rng: random.Random) -> list[str]:
    return text.splitlines(keepends=True) if rng.random() < 0.6 else _TOKEN.findall(text)


def _delete(text: str, rng: random.Random) -> str:
    pieces = _pieces(text, rng)
    at = rng.randrange(len(pieces))
    return "".join(pieces[:at] + pieces[at + rng.randint(1, 3) :])


def _duplicate(text: str, rng: random.Random) -> str:
    pieces = _pieces(text, rng)
    at, many = rng.randrange(len(pieces)), rng.randint(1, 6)
    return "".join(pieces[: at + many] + pieces[at : at + many] + pieces[at + many :])


def _swap(text: str, rng: random.Random) -> str:
    pieces = _pieces(text, rng)
    left, right = rng.randrange(len(pieces)), rng.randrange(len(pieces))
    pieces[left], pieces[right] = pieces[right], pieces[left]
    return "".join(pieces)


def _insert_odd(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(_ODD) + text[at:]


def _insert_line(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines) + 1)
    return "".join([*lines[:at], rng.choice(_LINES) + "\n", *lines[at:]])


def _indent(text: str, rng: random.Random) -> str:
    """Put everything a level deeper, many times: under ifs, in functions, in classes."""
    for _ in range(rng.choice([1, 2, 15])):
        head = rng.choice(["if True:\n", "def outer():\n", "class Outer:\n", "try:\n    pass\nfinally:\n"])
        text = head + "".join(f"    {line}" for line in text.splitlines(keepends=True) or ["pass\n"])
    return text


def _nest(text: str, rng: random.Random) -> str:
    depth = rng.choice([5, 40, 90])
    return f"{text}\nvalue = {'(' * depth}1{')' * depth}\n"


def _tabs(text: str, rng: random.Random) -> str:
    return text.replace("    ", "\t") if rng.random() < 0.5 else text.replace("    ", "  ")


def _ends(text: str, rng: random.Random) -> str:
    return text.replace("\n", rng.choice(["\r\n", "\r"])) if rng.random() < 0.7 else text.rstrip("\n")


def _splice(text: str, rng: random.Random) -> str:
    """Another file's lines amid this one's."""
    other = rng.choice(SEEDS).splitlines(keepends=True)
    lines = text.splitlines(keepends=True)
    at, start = rng.randrange(len(lines) + 1), rng.randrange(len(other) + 1)
    return "".join(lines[:at] + other[start : start + rng.randint(1, 12)] + lines[at:])


MUTATIONS: list[Callable[[str, random.Random], str]] = [
    *(_delete, _duplicate, _swap, _insert_odd, _insert_line, _indent, _nest, _tabs, _ends, _splice),
]


def mutated(seed: int) -> str:
    rng = random.Random(seed)
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 3)):
        if text:
            text = rng.choice(MUTATIONS)(text, rng)
    return text


# -- what must hold --------------------------------------------------------------------------------------------------


def _parsed(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _lines(text: str) -> list[str]:
    """The lines as Python's parser counts them."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)


class _WithoutOurs(ast.NodeTransformer):
    """Drops what the fixer may add or take away: its blocks, two typing names, `.forward` before a call."""

    def __init__(self, lines: list[str]) -> None:
        self.marked = {number for number, line in enumerate(lines, 1) if MARKER in line}

    def visit_Pass(self, node: ast.Pass) -> None:
        return None

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if node.lineno in self.marked else self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        signature = range(node.lineno, node.body[0].lineno + 1)
        if node.name == "__call__" and self.marked.intersection(signature):
            return None
        return self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        if node.module not in ("typing", "typing_extensions") or node.level:
            return node
        node.names = [alias for alias in node.names if alias.name not in ("TYPE_CHECKING", "Any")]
        return node if node.names else None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "forward":
            node.func = node.func.value
        return node


def _rest(text: str) -> str:
    tree = _parsed(text)
    assert tree is not None
    return ast.dump(_WithoutOurs(_lines(text)).visit(tree))


def _lost_lines(before: str, after: str) -> Iterator[str]:
    """Lines of the input that the output has no more, but for those the fixer may rewrite."""
    old, new = _lines(before), _lines(after)
    kept = {line.rstrip("\r\n") for line in new}
    free = {n for first, last in [*_marked_ranges(before), *_calls_of_forward(before)] for n in range(first, last + 1)}
    for tag, start, end, _, _ in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag in ("delete", "replace"):
            for number in range(start, end):
                line = old[number]
                rewritten = "import" in line or number + 1 in free
                if line.strip() and not rewritten and line.rstrip("\r\n") not in kept:
                    yield line


def _calls_of_forward(text: str) -> Iterator[tuple[int, int]]:
    """The statements in which `.forward` is called: a shorter call may fit on fewer lines."""
    tree = _parsed(text)
    assert tree is not None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.ClassDef):
            calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Call)]
            if any(isinstance(call.func, ast.Attribute) and call.func.attr == "forward" for call in calls):
                yield node.lineno, node.end_lineno or node.lineno


def _marked_ranges(text: str) -> Iterator[tuple[int, int]]:
    tree = _parsed(text)
    assert tree is not None
    marked = {number for number, line in enumerate(_lines(text), 1) if MARKER in line}
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.FunctionDef) and marked.intersection(
            range(node.lineno, node.body[0].lineno + 1)
        ):
            yield node.lineno, node.end_lineno or node.lineno


def check(text: str) -> bool:
    """Hold the fixer to its promises on one text; whether the text was Python at all."""
    try:
        raw = text.encode()
        source = SourceFile.from_bytes(raw, Path("model.py"))
    except (UnicodeEncodeError, SourceError):
        return False
    result = fix_bytes(raw)[1]
    if _parsed(source.text) is None:
        assert result.new_text is None, "what does not parse is not touched"
        assert result.outcome in (FixStatus.FAILED, FixStatus.SKIPPED)
        return False
    if result.outcome is FixStatus.FAILED:
        assert not _libcst_reads(source.text), result.reason
    if result.new_text is not None:
        assert _parsed(result.new_text) is not None, "the output parses"
        assert _rest(source.text) == _rest(result.new_text), "nothing but the tool's own lines changed"
        if "\f" not in source.text:  # an import put above the first statement goes below a form feed there
            assert list(_lost_lines(source.text, result.new_text)) == []
        again = fix_bytes(source.encode(result.new_text))[1]
        assert again.new_text is None, "a second run changes nothing"
    return True


def _libcst_reads(text: str) -> bool:
    """LibCST refuses, or does not give back whole, a little of what Python takes: such a file may be refused."""
    try:
        return cst.parse_module(text).code == text
    except (cst.ParserSyntaxError, RecursionError):
        return False


def test_mutated_sources() -> None:
    parsed: list[bool] = []

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=EXAMPLES == SAME,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**63).map(mutated))
    def run(text: str) -> None:
        parsed.append(check(text))

    run()
    assert sum(parsed) >= len(parsed) / 5, "enough of the mutated files are still Python"


def test_unmutated_seeds() -> None:
    """The promises hold for the test data as they are."""
    assert len(SEEDS) > 300
    for text in SEEDS:
        if "# @generated" not in text:
            check(text)
