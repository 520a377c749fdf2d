"""Random guards over real sizes: wherever the program comes with them, what the engine knows there contains them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecheck.spec import Dim, TensorSpec, at_least, same
from shapecheck.static.calls import builtins
from shapecheck.static.entry.checker import Checker
from tests.amount import examples
from tests.static.programs import HEAD

CONDITIONS = [
    "x.dim() == {k}",
    "x.ndim != {k}",
    "x.ndim >= {k}",
    "x.ndim < {k}",
    "len(x.shape) > {k}",
    "x.dim() in (1, {k})",
    "x.dim() not in (2, {k})",
    "x.shape == (n, m)",
    "x.size() == (n, {k}, m)",
    "x.shape == y.shape",
    "y.shape[1:] == (m,)",
    "x.shape[-2:] == (n, {k})",
    "x.shape[:1] == ({k},)",
    "x.dim() > 1 and x.shape[-1] == n",
    "y.size(0) == {k}",
    "len(y) == n",
    "n == m",
    "n != {k}",
    "n % m == 0",
    "m % 2 != 0",
    "n > {k}",
    "m <= {k}",
    "n == 2 * m",
    "opt is None",
    "opt is not None and opt.dim() == 2",
    "opt",
    "(n == {k} or m == {k})",
    "not (x.dim() == {k} and n == {k})",
    "isinstance(opt, tuple)",
    "mode == 'a'",
    "(half := n // 2) == m",
    "y.shape[0] == x.shape[0] == n",
]
SHAPES = [(), (1,), (3,), (1, 3), (2, 3), (3, 3), (4, 2), (2, 1, 3), (3, 2, 2), (1, 2, 3, 4)]
Sizes = tuple[Any, ...]


class Real:
    """A tensor that has a shape and nothing else."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.ndim = len(shape)

    def dim(self) -> int:
        return self.ndim

    def size(self, axis: int | None = None) -> Any:
        return self.shape if axis is None else self.shape[axis]

    def __len__(self) -> int:
        return self.shape[0]

    def __bool__(self) -> bool:
        return True


@st.composite
def blocks(draw: st.DrawFn, numbers: Iterator[int], depth: int = 0) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        condition = draw(st.sampled_from(CONDITIONS)).format(k=draw(st.integers(1, 3)))
        kind = draw(st.sampled_from(["either", "either", "guard", "assert", "for", "value"]))
        inner = draw(blocks(numbers, depth + 1)) if depth < 1 else []
        inner = ["    " + line for line in (*inner, f"probe({next(numbers)}, x, y, n, m, opt)")]
        lines += {
            "assert": [f"assert {condition}"],
            "guard": [f"if not ({condition}):", draw(st.sampled_from(["    return", "    raise ValueError"]))],
            "either": [
                f"if {condition}:",
                *inner,
                "else:",
                f"    probe({next(numbers)}, x, y, n, m, opt)",
                "    x = y",
            ],
            "for": ["for step in steps:", f"    if {condition}:", "        break", *inner],
            "value": [f"n = n if {condition} else m"],
        }[kind]
        lines.append(f"probe({next(numbers)}, x, y, n, m, opt)")
    return lines


def programs() -> st.SearchStrategy[str]:
    return (
        st.builds(itertools.count)
        .flatmap(blocks)
        .map(
            lambda lines: "def f(x: Tensor, y: Tensor, n: int, m: int, opt, mode, steps):\n    " + "\n    ".join(lines)
        )
    )


def really(program: str, values: dict[str, Any]) -> list[tuple[int, Sizes]]:
    """The probes that a run with these values comes to, and what it sees there."""
    seen: list[tuple[int, Sizes]] = []
    names: dict[str, Any] = {"Tensor": object, "probe": lambda at, *sizes: seen.append((at, sizes))}
    exec(program, names)
    with suppress(AssertionError, ValueError, IndexError, AttributeError, TypeError, ZeroDivisionError):
        names["f"](**values)
    return seen


def known(program: str, folder: Any, monkeypatch: pytest.MonkeyPatch) -> dict[int, list[Sizes]]:
    """What the engine knows at each probe that it comes to."""
    seen: dict[int, list[Sizes]] = {}
    probe: Callable[..., None] = lambda at, *sizes: seen.setdefault(at, []).append(sizes)  # noqa: E731
    monkeypatch.setitem(builtins._FUNCTIONS, "builtins.probe", probe)
    path = folder / "program.py"
    path.write_text(HEAD + program)
    assert Checker([path]).findings(path, {str(path)}) is not None
    return seen


def contains(specs: Sizes, values: Sizes) -> bool:
    pairs = [pair for spec, value in zip(specs, values, strict=True) for pair in _sizes(spec, value)]
    if any(size is None for size, _ in pairs):
        return False
    return all(_agree(*one, *other) for one, other in itertools.combinations_with_replacement(pairs, 2))


def _sizes(spec: Any, value: Any) -> Iterator[tuple[Any, int]]:
    """Pairs of a known size and the real one; (None, 0) where the two cannot be the same value."""
    if isinstance(spec, TensorSpec) and isinstance(value, Real):
        shape = spec.shape
        if shape.least_rank > value.ndim or shape.rank not in (None, value.ndim):
            yield None, 0
        else:
            yield from zip(shape.head, value.shape, strict=False)
            yield from zip(reversed(shape.tail), reversed(value.shape), strict=False)
    elif isinstance(spec, (int, Dim)) and isinstance(value, int):
        yield spec, value
    elif (spec is None) is not (value is None) and (spec is None or isinstance(spec, (int, TensorSpec, Dim))):
        yield None, 0


def _agree(one: Any, first: int, other: Any, second: int) -> bool:
    return (
        not (isinstance(one, int) and one != first)
        and same(one, other) in (None, first == second)
        and at_least(one, other) in (None, first >= second)
    )


@settings(max_examples=examples(150))
@given(
    program=programs(),
    x=st.sampled_from(SHAPES[1:]).map(Real),
    y=st.sampled_from(SHAPES[1:]).map(Real),
    n=st.integers(1, 4),
    m=st.integers(1, 4),
    opt=st.one_of(st.none(), st.sampled_from(SHAPES).map(Real)),
    mode=st.sampled_from("ab"),
    rounds=st.integers(0, 2),
)
def test_what_is_known_contains_what_is(
    tmp_path_factory: pytest.TempPathFactory,
    program: str,
    x: Real,
    y: Real,
    n: int,
    m: int,
    opt: Real | None,
    mode: str,
    rounds: int,
) -> None:
    values = {"x": x, "y": y, "n": n, "m": m, "opt": opt, "mode": mode, "steps": range(rounds)}
    with pytest.MonkeyPatch.context() as monkeypatch:
        specs = known(program, tmp_path_factory.mktemp("law"), monkeypatch)
    for at, sizes in really(program, values):
        assert any(contains(one, sizes) for one in specs.get(at, [])), (at, sizes, specs.get(at))
