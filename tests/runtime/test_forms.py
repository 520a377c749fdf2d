"""Every form that a checked function or class can have, and what of it must stay as it was."""

from __future__ import annotations

import abc
import asyncio
import inspect
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import AsyncIterator, Generator, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, NamedTuple, no_type_check

import pytest
import torch
from jaxtyping import Float
from torch import Tensor, nn

import shapecheck
from shapecheck import AnnotationWarning, ShapeError, checked
from shapecheck.runtime import source, switch
from tests.runtime.support import refuses, t


@checked
def same(x: Float[Tensor, "n"], y: Float[Tensor, "n"]) -> Float[Tensor, "n"]:
    """The doc."""
    return x + y


def test_nothing_to_check_is_the_same_object() -> None:
    def f(x, y=1):  # type: ignore[no-untyped-def]
        return x

    def g(x: Any) -> Any:
        return x

    assert checked(f) is f
    assert checked(g) is g
    assert checked(len) is len
    assert checked(same) is same
    assert checked(3) == 3  # type: ignore[comparison-overlap]


def test_it_looks_like_the_function() -> None:
    assert (same.__name__, same.__doc__, same.__module__) == ("same", "The doc.", __name__)
    assert list(inspect.signature(same).parameters) == ["x", "y"]
    assert pickle.loads(pickle.dumps(same)) is same


def test_its_source_can_be_read() -> None:
    assert "def same(x, y):" in source(same)
    assert source(len) == ""


def test_every_kind_of_parameter_is_passed_on() -> None:
    @checked
    def f(a: int, /, b: int, *rest: int, c: int = 3, d: int, **more: int) -> Any:
        return a, b, rest, c, d, more

    assert f(1, 2, 8, 9, d=4, e=5) == (1, 2, (8, 9), 3, 4, {"e": 5})
    assert refuses(lambda: f(1, 2, "x", d=4))
    assert refuses(lambda: f(1, 2, d=4, e="x"))
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument"):
        f(1, 2)  # type: ignore[call-arg]


def test_a_default_needs_no_annotation_of_its_own() -> None:
    @checked
    def f(x: Float[Tensor, "n"], mask: Float[Tensor, "n"] = None, way: str = ...) -> Any:  # type: ignore[assignment]
        return mask, way

    assert f(t(2)) == (None, ...)
    assert f(t(2), None) == (None, ...)
    assert not refuses(f, t(2), t(2))
    assert refuses(f, t(2), t(3))


def test_names_of_parameters_and_sizes_do_not_meet() -> None:
    @checked
    def f(b: Float[Tensor, "b Mismatch"], result: Float[Tensor, "b result"], function: int) -> Float[Tensor, "b"]:
        return t(len(b) if function else 9)

    assert len(f(t(2, 3), t(2, 4), 1)) == 2
    assert refuses(f, t(2, 3), t(2, 4), 0)
    assert refuses(f, t(2, 3), t(3, 4), 1)


class Forms:
    @checked
    def method(self, x: Float[Tensor, "n n"]) -> int:
        return 1

    @classmethod
    @checked
    def inner_class(cls, x: Float[Tensor, "n n"]) -> int:
        return 1

    @checked
    @classmethod
    def outer_class(cls, x: Float[Tensor, "n n"]) -> int:
        return 1

    @staticmethod
    @checked
    def inner_static(x: Float[Tensor, "n n"]) -> int:
        return 1

    @checked
    @staticmethod
    def outer_static(x: Float[Tensor, "n n"]) -> int:
        return 1


@pytest.mark.parametrize("name", ["method", "inner_class", "outer_class", "inner_static", "outer_static"])
def test_methods_in_every_form(name: str) -> None:
    method = getattr(Forms(), name)
    assert method(t(2, 2)) == 1
    assert refuses(method, t(2, 3))


def test_abstract_methods_stay_abstract() -> None:
    class A(abc.ABC):
        @checked
        @abc.abstractmethod
        def f(self) -> int: ...

        @abc.abstractmethod
        @checked
        def g(self) -> int: ...

    assert A.__abstractmethods__ == {"f", "g"}


@checked
class Whole:
    width = 3

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def size(self) -> Float[Tensor, "n n"]:
        """The doc."""
        return self.value  # type: ignore[no-any-return]

    @size.setter
    def size(self, value: Float[Tensor, "n n"]) -> None:
        self.value = value

    @cached_property
    def cached(self) -> Float[Tensor, "n n"]:
        return self.value  # type: ignore[no-any-return]

    @staticmethod
    def static(x: Float[Tensor, "n n"]) -> None: ...

    @classmethod
    def made(cls, x: Float[Tensor, "n n"]) -> Whole:
        return cls(x)

    def child(self) -> Whole:
        return self.value  # type: ignore[no-any-return]

    def plain(self, x):  # type: ignore[no-untyped-def]
        return x


def test_a_class_is_checked_in_all_its_methods() -> None:
    good, bad = Whole(t(2, 2)), Whole(t(2, 3))
    assert good.size is good.value
    assert Whole.size.__doc__ == "The doc."
    assert refuses(lambda: bad.size)
    assert refuses(lambda: setattr(good, "size", t(2, 3)))
    assert good.cached is good.value
    assert refuses(lambda: bad.cached)
    assert refuses(Whole.static, t(2, 3))
    assert refuses(Whole.made, t(2, 3))
    assert isinstance(Whole.made(t(2, 2)), Whole)
    assert Whole(good).child() is good
    assert refuses(Whole(3).child)
    assert source(Whole.plain) == ""


def test_a_module_is_checked_in_its_forward() -> None:
    @checked
    class Net(nn.Module):
        def __init__(self, d: int) -> None:
            super().__init__()
            self.fc = nn.Linear(d, d)

        def forward(self, x: Float[Tensor, "b d"]) -> Float[Tensor, "b d"]:
            return self.fc(x)  # type: ignore[no-any-return]

    class Child(Net):
        def forward(self, x: Float[Tensor, "b d"]) -> Tensor:
            return super().forward(x)[0]

    assert Net(3)(t(2, 3)).shape == (2, 3)
    assert refuses(Net(3), t(2, 3, 4))
    assert refuses(Child(3), t(3))
    assert Child(3)(t(2, 3)).shape == (3,)


def test_class_level_sizes() -> None:
    @checked(sizes="dim heads")
    class Attention(nn.Module):
        def __init__(self, dim: int) -> None:
            super().__init__()
            self.dim = dim

        def forward(self, x: Float[Tensor, "b dim heads"], y: Float[Tensor, "heads 2*dim"]) -> None: ...

    assert not refuses(Attention(3), t(2, 3, 4), t(4, 6))
    assert refuses(Attention(3), t(2, 4, 4), t(4, 8))
    assert refuses(Attention(3), t(2, 3, 4), t(5, 6))


class Point(NamedTuple):
    x: Float[Tensor, "n"]
    y: Float[Tensor, "n"]
    label: int = 0


Point = checked(Point)  # type: ignore[misc]


@checked
@dataclass
class Batch:
    image: Float[Tensor, "b {channels}"]
    label: Float[Tensor, "b"]
    channels: int = 3
    later: Float[Tensor, "b"] = field(init=False)

    def first(self, n: int) -> Float[Tensor, "n"]:
        return self.image


@dataclass
class Raised(Batch):
    def __post_init__(self) -> None:
        self.label = self.label[:1]


def test_fields_of_records_are_checked_together() -> None:
    assert not refuses(Point, t(2), t(2))
    assert refuses(Point, t(2), t(3))
    assert refuses(Point, t(2), t(2), "x")
    assert pickle.loads(pickle.dumps(Point(t(2), t(2)))).label == 0
    assert not refuses(Batch, t(2, 3), t(2))
    assert refuses(Batch, t(2, 4), t(2))
    assert not refuses(Batch, t(2, 4), t(2), 4)
    assert refuses(lambda: replace(Batch(t(2, 3), t(2)), label=t(3)))
    assert refuses(Batch(t(2, 3), t(2)).first, 1)
    assert not refuses(Raised, t(2, 3), t(2)), "a subclass that is not checked is its own affair"


def test_async_functions() -> None:
    @checked
    async def f(x: Float[Tensor, "n"]) -> Float[Tensor, "n"]:
        await asyncio.sleep(0)
        return x if len(x) < 5 else x[:1]

    assert inspect.iscoroutinefunction(f)
    assert asyncio.run(f(t(2))).shape == (2,)
    with pytest.raises(ShapeError, match="return"):
        asyncio.run(f(t(5)))
    with pytest.raises(ShapeError, match=r"expected 1 dimension .*, got 2"):
        asyncio.run(f(t(5, 5)))


def test_two_tasks_at_once_have_their_own_sizes() -> None:
    @checked
    async def f(x: Float[Tensor, "n"], turn: float) -> Float[Tensor, "n"]:
        await asyncio.sleep(turn)
        return x

    async def both() -> list[Tensor]:
        return await asyncio.gather(f(t(2), 0.01), f(t(3), 0.0))

    assert [len(x) for x in asyncio.run(both())] == [2, 3]


@checked
def windows(x: Float[Tensor, "n d"], size: int) -> Iterator[Float[Tensor, "size d"]]:
    for start in range(0, len(x), size):
        yield x[start : start + size] if start < 4 else x[:, 0]


@checked
def echo(x: Float[Tensor, "n"]) -> Generator[Float[Tensor, "n"], Any, str]:
    try:
        sent = yield x
        while sent is not None:
            sent = yield sent
    except ValueError as error:
        yield t(*x.shape)
        return f"caught {error}"
    return "end"


def test_generators() -> None:
    assert inspect.isgeneratorfunction(windows)
    assert [w.shape for w in windows(t(4, 3), 3)] == [(3, 3), (1, 3)]
    with pytest.raises(ShapeError, match=r"windows\(return\)"):
        list(windows(t(6, 3), 2))
    with pytest.raises(ShapeError, match=r"windows\(x\)"):
        next(windows(t(6), 2))


def test_a_generator_takes_what_is_sent_and_thrown() -> None:
    generator = echo(t(2))
    assert next(generator).shape == (2,)
    assert generator.send(t(2)).shape == (2,)
    with pytest.raises(ShapeError):
        generator.send(t(3))
    generator = echo(t(2))
    next(generator)
    assert generator.throw(ValueError("x")).shape == (2,)
    with pytest.raises(StopIteration) as stopped:
        next(generator)
    assert stopped.value.value == "caught x"
    generator = echo(t(2))
    next(generator)
    generator.close()


def test_async_generators() -> None:
    @checked
    async def f(x: Float[Tensor, "n"]) -> AsyncIterator[Float[Tensor, "n"]]:
        yield x
        yield x[1:]

    async def first(count: int) -> int:
        seen = 0
        async for _ in f(t(2)):
            seen += 1
            if seen == count:
                return seen
        return seen

    assert inspect.isasyncgenfunction(f)
    assert asyncio.run(first(1)) == 1
    with pytest.raises(ShapeError):
        asyncio.run(first(2))


def test_recursion_has_its_own_sizes_in_each_call() -> None:
    @checked
    def halves(x: Float[Tensor, "n"]) -> Float[Tensor, "n"]:
        return torch.cat([halves(x[::2]), halves(x[1::2])]) if len(x) > 1 else x

    assert halves(t(37)).shape == (37,)


def test_the_exception_of_the_function_comes_through_and_leaves_nothing() -> None:
    class Own(Exception): ...

    @checked
    def f(x: Float[Tensor, "n"], fail: bool) -> Float[Tensor, "n"]:
        if fail:
            raise Own("as it was")
        return x

    with pytest.raises(Own, match="as it was") as raised:
        f(t(2), True)
    assert raised.value.__context__ is None
    assert len(f(t(3), False)) == 3


def test_threads_do_not_share_sizes() -> None:
    wrong: list[BaseException] = []

    def work(n: int) -> None:
        try:
            for _ in range(200):
                assert same(t(n), t(n)).shape == (n,)
                assert refuses(same, t(n), t(n + 1))
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_wrapper_is_checked_with_the_parameters_of_what_it_wraps() -> None:
    @checked
    @torch.no_grad()
    def f(x: Float[Tensor, "n"], y: Float[Tensor, "n"] = None) -> Float[Tensor, "n"]:  # type: ignore[assignment]
        return x

    def injecting(function: Any) -> Any:
        @wraps(function)
        def inner(*args: Any) -> Any:
            return function(*args, 3)

        return inner

    @checked
    @injecting
    def g(x: Float[Tensor, "n"], y: int) -> int:
        return y

    assert f(t(2)).shape == (2,)
    assert refuses(f, t(2), t(3))
    assert g(t(2)) == 3


def test_no_type_check_above_or_below() -> None:
    @checked
    @no_type_check
    def below(x: Float[Tensor, "n"]) -> int:
        return 1

    @no_type_check
    @checked
    def above(x: Float[Tensor, "n"]) -> int:
        return 1

    assert below("x") == above("x") == 1  # type: ignore[arg-type]


class Later:
    @checked
    def me(self, x: Float[Tensor, "n n"], other: Unknown = None) -> Later:  # type: ignore[name-defined]
        return self if len(x) < 9 else None  # type: ignore[return-value]

    @checked
    async def soon(self, x: Float[Tensor, "n n"]) -> Later:
        return self

    @checked
    def some(self, x: Float[Tensor, "n n"]) -> Iterator[Later]:
        yield self


def test_names_that_come_later_are_read_at_the_first_call() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        later = Later()
        assert later.me(t(2, 2)) is later
        assert refuses(later.me, t(2, 3))
        assert refuses(later.me, t(9, 9))
        assert later.me(t(2, 2), other=5) is later
        assert asyncio.run(later.soon(t(2, 2))) is later
        assert list(later.some(t(2, 2))) == [later]


def test_an_annotation_that_cannot_be_read_is_said_and_not_checked() -> None:
    with pytest.warns(AnnotationWarning, match=r"wrong\(x\) is not checked: .*variadic"):

        @checked
        def wrong(x: Float[Tensor, "*a *b"], y: Float[Tensor, "n n"]) -> None: ...

    assert not refuses(wrong, 3, t(2, 2))
    assert refuses(wrong, 3, t(2, 3))
    with pytest.warns(AnnotationWarning, match=r'expected Float\[Tensor, "..."\], got Float'):
        checked(_annotated(Float))
    with pytest.warns(AnnotationWarning, match=r"axis \"\(h\" is not a valid Python expression"):
        checked(_annotated(Float[Tensor, "b (h w)"]))
    assert not refuses(checked(_annotated(3)), 4)
    assert not refuses(checked(_annotated("Missing")), 4)


def _annotated(annotation: Any) -> Any:
    def f(x):  # type: ignore[no-untyped-def]
        return x

    f.__annotations__["x"] = annotation
    return f


def test_a_missing_name_in_an_array_annotation_is_said_at_the_first_call() -> None:
    f = checked(_annotated('Float[Nothing, "b"]'))
    with pytest.warns(AnnotationWarning, match="name 'Nothing' is not defined"):
        assert f(3) == 3


def test_switched_off_it_is_the_function_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Float[Tensor, "n"]) -> None: ...

    class C:
        def f(self, x: Float[Tensor, "n"]) -> None: ...

    method = C.f
    monkeypatch.setenv("SHAPECHECK", "0")
    assert checked(f) is f
    assert checked(C).f is method
    monkeypatch.setenv("SHAPECHECK", "1")
    assert checked(f) is not f


def test_it_is_switched_off_by_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.shapecheck]\nruntime = false\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SHAPECHECK", raising=False)
    switch.configured.cache_clear()
    try:
        assert not switch.enabled()
        monkeypatch.setenv("SHAPECHECK", "1")
        assert switch.enabled()
    finally:
        switch.configured.cache_clear()


def test_print_bindings(capsys: pytest.CaptureFixture[str]) -> None:
    def helper() -> None:
        shapecheck.print_bindings()

    @checked
    def f(x: Float[Tensor, "*batch rows 4"], y: Float[Tensor, "*#lead cols"]) -> None:
        helper()

    f(t(2, 3, 5, 4), t(1, 7))
    assert capsys.readouterr().out == "The sizes of this call:\nrows=5\n*batch=(2, 3)\ncols=7\n*lead=(1,)\n"
    helper()
    assert capsys.readouterr().out == "No sizes are bound here.\n"


def test_importing_it_imports_neither_torch_nor_what_checks_beside_it() -> None:
    code = "import sys, shapecheck.runtime; print({'torch', 'jaxtyping', 'beartype', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
