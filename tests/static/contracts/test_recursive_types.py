"""Records and aliases that refer to themselves: the analysis ends, and the bug after them is found."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from shapecheck.static.entry.checker import Checker

HEAD = """\
from __future__ import annotations
from dataclasses import dataclass
from typing import Dict, Generic, List, NamedTuple, Optional, Protocol, TypeAlias, TypedDict, TypeVar, Union
import torch
from jaxtyping import Float
from torch import Tensor
"""
BUG = """

def last():
    return torch.zeros(2, 3) @ torch.zeros(2, 3)
"""

PROGRAMS = {
    "an item of an optional list": """
        class Item(NamedTuple):
            name: str
            data: Optional[list["Item"]]

        def f(x: Tensor, items: list[Item]) -> Tensor:
            for item in items:
                x = x.view(-1)
            return x
    """,
    "its own class, directly and in containers": """
        class Node(NamedTuple):
            x: Float[Tensor, "n d"]
            up: Node
            children: List[Node]
            named: dict[str, tuple[Node, ...]]
            pair: tuple[Node, Node | None]

        def f(node: Node, nodes: dict[str, list[Node]]) -> Node:
            while node.up is not None:
                node = node.up
            x, up, children, named, pair = node
            return nodes["a"][0].up.up.children[0]
    """,
    "two records that refer to each other": """
        class A(NamedTuple):
            b: Optional[Dict[str, B]]

        class B(NamedTuple):
            a: list[A]
            either: Union[A, B, None]

        def f(a: A, b: B):
            return a.b["x"].a[0].b, b.either
    """,
    "a dataclass, a typed dict and a protocol": """
        @dataclass
        class Tree:
            x: Float[Tensor, "n"]
            left: Tree
            right: list[Tree]

        class Options(TypedDict):
            inner: Options
            more: list[Options]
            tree: Tree

        class Callback(Protocol):
            after: Callback

            def __call__(self, x: Float[Tensor, "n"]) -> Callback: ...

        def f(tree: Tree, options: Options, callback: Callback):
            while tree.left:
                tree = tree.left.right[0]
            return options["inner"]["more"][0]["inner"], callback.after.after(tree.x).after
    """,
    "a generic class": """
        T = TypeVar("T")

        class Linked(Generic[T]):
            x: Float[Tensor, "n"]
            next: Linked[T]

        def f(linked: Linked[int]) -> Linked[Linked[int]]:
            return linked.next.next
    """,
    "aliases": """
        Nested: TypeAlias = Union[Tensor, List["Nested"]]
        Other = "Another"
        Another = "Other"
        Table: TypeAlias = "dict[str, Table] | int"

        class Holder:
            own: "Holder.own"

        def f(x: Nested, y: Other, z: Table, h: Holder) -> Another:
            return h.own
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_file_is_analyzed_to_the_end(name: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(HEAD + textwrap.dedent(PROGRAMS[name]) + BUG)
    outcome = Checker([program]).outcome(program, {str(program)})
    assert outcome.whole
    assert [one.line for one in outcome.diagnostics] == [program.read_text().count("\n")]


def test_sizes_of_a_nested_record_are_checked(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    source = """
        class Pair(NamedTuple):
            x: Float[Tensor, "n 3"]
            others: list[Pair]

        class Outer(NamedTuple):
            pair: Pair
            pairs: list[Pair]

        def f(outer: Outer, pair: Pair):
            torch.zeros(2, 4) @ outer.pairs[0].x.T
            torch.zeros(2, 4) @ outer.pair.others[0].x.T
            torch.zeros(2, 3) @ pair.others[0].others[0].x.T
    """
    program.write_text(HEAD + textwrap.dedent(source))
    found = Checker([program]).findings(program, {str(program)})
    first = HEAD.count("\n") + 11
    assert [one.line for one in found] == [first, first + 1]
