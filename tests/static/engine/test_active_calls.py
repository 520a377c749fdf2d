"""Recursion: what a call costs that leads back to itself, and which calls around it are memoized."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecheck.static.engine.memo import Memo
from tests.static.rules.programs import place, reported

WALK = """
        def walk(x, depth):
            if isinstance(x, (list, tuple)):
                return [walk(one, depth) for one in x]
            if isinstance(x, dict):
                return {key: walk(one, depth) for key, one in x.items()}
            return helper(x)

        def helper(x):
            return x
        """


def executed(folder: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions whose bodies run in `main`, in order."""
    names: list[str] = []
    call = Memo._run
    monkeypatch.setattr(
        Memo, "_run", lambda self, run, code, *rest: (names.append(code.node.name), call(self, run, code, *rest))[1]
    )
    reported(folder, program)
    return names


def test_a_recursive_call_with_the_arguments_of_an_active_one_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = f"""
        def main(batch):
            return walk(batch, 0)
        {WALK}"""
    assert executed(tmp_path, program, monkeypatch).count("walk") < 10


def test_a_call_of_a_recursive_function_is_memoized(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = f"""
        def main(batch):
            first(batch)
            return first(batch), first(batch)

        def first(batch):
            return walk(batch, 0)
        {WALK}"""
    assert executed(tmp_path, program, monkeypatch).count("first") == 1


def test_a_nested_function_is_memoized_by_what_it_captures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = """
        def main(n):
            def scaled(x):
                return x * size

            size = 2
            scaled(1)
            scaled(1)
            size = 3
            scaled(1)
        """
    assert executed(tmp_path, program, monkeypatch).count("scaled") == 2


def test_what_a_nested_function_captures_decides(tmp_path: Path) -> None:
    program = """
        def main():
            size = 4

            def check(x):
                return x + torch.zeros(size)

            check(torch.zeros(4))
            size = 5
            return check(torch.zeros(4))

        def other():
            size = 5

            def check(x):
                return x + torch.zeros(size)  # HERE

            check(torch.zeros(5))
            size = 4
            return check(torch.zeros(5))
        """
    assert place(program) in [line for line, _, _ in reported(tmp_path, program)]


def test_recursion_over_a_tree_is_followed(tmp_path: Path) -> None:
    program = """
        def main():
            return depth([torch.zeros(3), [torch.zeros(3), [torch.zeros(4)]]])

        def depth(tree):
            if isinstance(tree, list):
                return [depth(one) for one in tree]
            return tree + torch.zeros(3)  # HERE
        """
    assert [line for line, _, _ in reported(tmp_path, program)] == [place(program)]


def test_a_call_that_depends_on_the_running_method_is_run_again_elsewhere(tmp_path: Path) -> None:
    program = """
        class Sampler:
            def __init__(self, library):
                self.size = 4
                self.library = library
                self.library.register(self.move)

            def move(self):
                self.size = 5
                self.turn()
                return torch.zeros(self.size) + torch.zeros(4)  # HERE

            def turn(self):
                self.library.step()
        """
    assert [line for line, _, _ in reported(tmp_path, program)] == [place(program)]
