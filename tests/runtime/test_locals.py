"""Annotated local variables are checked with the sizes of the call, and nothing else about the function changes."""

from __future__ import annotations

import asyncio
import linecache
import sys
import traceback
from typing import Any

import pytest
import torch

from shapecheck import ShapeError, checked
from tests.runtime import locals_in_a_file as here
from tests.runtime.support import refuses, t


def test_a_local_variable_shares_the_sizes_of_the_call() -> None:
    assert here.project(t(2, 3), t(3, 4)).shape == (2, 4)
    with pytest.raises(ShapeError) as raised:
        here.project(t(2, 3), t(3, 4), 1)
    first = str(raised.value).splitlines()[0]
    assert first == 'project(y): expected dimension 1 ("e") to be 4, got 3 (e was bound by an earlier annotation)'
    with pytest.raises(ShapeError, match=r'project\(z\): expected dimension 0 \("2\*b"\) to be 4, got 6'):
        here.project(t(2, 3), t(3, 4), 2)


def test_the_traceback_shows_the_line_of_the_variable() -> None:
    with pytest.raises(ShapeError) as raised:
        here.project(t(2, 3), t(3, 4), 1)
    frames = traceback.extract_tb(raised.value.__traceback__)
    (frame,) = [frame for frame in frames if frame.filename == here.__file__]
    assert frame.line is not None
    assert frame.line.startswith('y: Float[Tensor, "b e"]')
    assert frame.lineno == here.project.__wrapped__.__code__.co_firstlineno + 3  # type: ignore[attr-defined]


def test_a_debugger_sees_every_line_once() -> None:
    lines = []

    def trace(frame: Any, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != here.__file__:
            return trace if event == "call" and "shapecheck" in frame.f_code.co_filename else None
        if event == "line":
            lines.append(linecache.getline(here.__file__, frame.f_lineno).strip())
        return trace

    sys.settrace(trace)
    try:
        here.project(t(2, 3), t(3, 4))
    finally:
        sys.settrace(None)
    assert lines == ['y: Float[Tensor, "b e"] = x @ (w[:, :-1] if wrong == 1 else w)', "if wrong == 2:", "return y"]


def test_the_closure_is_the_same() -> None:
    inner, count = here.outer(1.0, 3)
    assert inner(torch.ones(2)).tolist() == [[2.0] * 3] * 2
    assert inner(torch.ones(2), size=1).tolist() == [[3.0]] * 2
    assert count == [2]


def test_super_and_private_names_work() -> None:
    assert here.Net()(t(2, 5)).shape == (2, 5)
    with pytest.raises(ShapeError, match=r'Net.forward\(y\): expected dimension 1 \("{self.width}"\) to be 4, got 3'):
        here.Net()(t(2, 3))


def test_in_loops_generators_and_coroutines() -> None:
    assert len(list(here.items(t(2)))) == 2
    assert refuses(lambda: list(here.items(torch.ones(2))))
    assert asyncio.run(here.later(t(2, 3, 4))).shape == (2, 3)
    assert refuses(lambda: asyncio.run(here.later(t(2, 3, 5))))


def test_what_no_array_is_annotated_with_is_left_alone() -> None:
    assert here.nothing_to_check(t(2)).shape == (2,)
    assert here.nested(t(2)).shape == (2,)


def test_a_size_that_a_local_variable_binds_is_shared_with_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    inner, _ = here.outer(1.0, 3)
    assert inner(t(2)).shape == (2, 3)
    here.shows(t(2))
    assert capsys.readouterr().out == "The sizes of this call:\nb=2\nc=1\n"


def test_isinstance_with_an_annotation_shares_the_sizes() -> None:
    assert here.asks(t(2, 3), t(3, 2)) == (True, True)
    assert here.asks(t(2, 3), t(3, 3)) == (False, True)


def test_without_source_local_variables_are_not_checked() -> None:
    space: dict[str, Any] = {}
    text = "from jaxtyping import Float\nfrom torch import Tensor\n"
    text += 'def f(x: Float[Tensor, "b"]):\n    y: Float[Tensor, "b b"] = x\n    return y\n'
    exec(text, space)
    assert not refuses(checked(space["f"]), t(2))


def test_where_the_source_has_changed_local_variables_are_not_checked(tmp_path: Any) -> None:
    file = tmp_path / "changed.py"
    text = "from jaxtyping import Float\nfrom torch import Tensor\n"
    text += 'def f(x: Float[Tensor, "b"]):\n    y: Float[Tensor, "b b"] = x\n    return {}\n'
    space: dict[str, Any] = {}
    exec(compile(text.format("y"), str(file), "exec"), space)
    file.write_text(text.format("y.sum()"))
    assert checked(space["f"])(t(2)).shape == (2,)
    file.write_text(text.format("y"))
    linecache.checkcache(str(file))
    assert refuses(checked(space["f"]), t(2))
