"""What is made of an annotation: shapes, dtypes and the numbers in the tensors."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import Bool, Complex, Float, Float64, Int, Int32, Shaped, UInt8
from torch import Tensor

from shapecheck import checked
from shapecheck.harness.cases.model import CaseError
from shapecheck.harness.inputs.plan import InputPlan
from shapecheck.harness.inputs.sizes import draw_sizes
from shapecheck.harness.search.attempt import tensors
from tests.harness.inputs.making import subject


class Pair(NamedTuple):
    a: Float[Tensor, "b d"]
    b: Int[Tensor, "b"]


@dataclass
class Record:
    image: Float[Tensor, "b 3 h"]
    name: str


class Colour(Enum):
    RED = 1
    BLUE = 2


_SIZES = {"b": 3, "d": 5, "h": 7, "t": 11, "*n": 2, "*n.0": 2, "*n.1": 4, "*x...": 1, "*x....0": 6}


def _made(annotation: Any, **plan: Any) -> Any:
    def forward(self: Any, x: Any) -> Any:
        return x

    forward.__annotations__ = {"x": annotation}
    return subject(forward).arguments(InputPlan(_SIZES, **plan)).named["x"]


@pytest.mark.parametrize(
    ("annotation", "shape", "dtype"),
    [
        (Float[Tensor, "b d"], (3, 5), torch.float32),
        (Float[Tensor, ""], (), torch.float32),
        (Float64[Tensor, "b"], (3,), torch.float64),
        (Int[Tensor, "b t"], (3, 11), torch.int64),
        (Int32[Tensor, "b"], (3,), torch.int32),
        (UInt8[Tensor, "b 3"], (3, 3), torch.uint8),
        (Bool[Tensor, "b t"], (3, 11), torch.bool),
        (Complex[Tensor, "b d"], (3, 5), torch.complex64),
        (Shaped[Tensor, "b"], (3,), torch.float32),
        (Float[Tensor, "*n d"], (2, 4, 5), torch.float32),
        (Float[Tensor, "... d"], (6, 5), torch.float32),
        (Float[Tensor, "b 2*t+1 d//2"], (3, 23, 2), torch.float32),
        (Float[Tensor, "b #d"], (3, 5), torch.float32),
        (Float[Tensor, "rows=4 b"], (4, 3), torch.float32),
        (Float[Tensor, "b d"] | None, (3, 5), torch.float32),
    ],
)
def test_a_tensor(annotation: Any, shape: tuple[int, ...], dtype: torch.dtype) -> None:
    made = _made(annotation)
    assert (tuple(made.shape), made.dtype) == (shape, dtype)


@pytest.mark.parametrize(
    ("annotation", "shapes"),
    [
        (list[Float[Tensor, "b d"]], {"x[]": (3, 5)}),
        (tuple[Float[Tensor, "b"], Int[Tensor, "d"]], {"x[0]": (3,), "x[1]": (5,)}),
        (dict[str, Float[Tensor, "b"]], {"x[]": (3,)}),
        (Pair, {"x.a": (3, 5), "x.b": (3,)}),
        (Record, {"x.image": (3, 3, 7)}),
        (list[tuple[Float[Tensor, "b"], Float[Tensor, "d"]]], {"x[][0]": (3,), "x[][1]": (5,)}),
    ],
)
def test_tensors_in_a_structure(annotation: Any, shapes: dict[str, tuple[int, ...]]) -> None:
    found = tensors({"x": _made(annotation)})
    assert {place: tuple(tensor.shape) for place, tensor in found.items()} == shapes


@pytest.mark.parametrize(
    ("annotation", "value"),
    [(bool, False), (int, 1), (float, 0.5), (str, ""), (Literal["sum", "mean"], "sum"), (Colour, Colour.RED)],
)
def test_a_plain_value(annotation: Any, value: object) -> None:
    def forward(self: Any, x: Any, y: Any) -> Any:
        return x

    forward.__annotations__ = {"x": annotation, "y": Float[Tensor, "b"]}
    assert subject(forward).arguments(InputPlan(_SIZES)).named["x"] == value


def test_what_cannot_be_made_is_said() -> None:
    def forward(self: Any, x: Float[Tensor, "b"], y) -> Any:
        return x

    with pytest.raises(CaseError, match=r"forward has no annotation for y; annotate it or pass @shapecheck\.case"):
        subject(forward).arguments(InputPlan(_SIZES))


@pytest.mark.parametrize(
    ("plan", "least", "greatest"),
    [({}, 0, 1), ({"ranges": {"x": (0, 9)}}, 0, 9), ({"ranges": {"x": (4, 4)}}, 4, 4)],
)
def test_both_ends_of_a_range_occur(plan: dict[str, Any], least: int, greatest: int) -> None:
    made = _made(Int[Tensor, "b t"], **plan)
    assert (int(made.min()), int(made.max())) == (least, greatest)


def test_lengths_fall_and_starts_rise_from_zero() -> None:
    ranges = {"x": (1, 30)}
    falling = _made(Int[Tensor, "t"], ranges=ranges, descending=True).tolist()
    rising = _made(Int[Tensor, "t"], ranges=ranges, starts=frozenset({"x"})).tolist()
    assert falling == sorted(falling, reverse=True)
    assert rising == sorted(rising)
    assert rising[0] == 0


def test_axes_with_a_hash_can_be_narrow() -> None:
    assert _made(Float[Tensor, "b #d *#n"], narrow=True).shape == (3, 1, 1, 1)


_AXES = st.sampled_from(["b", "t", "d", "4", "1", "#t", "2*t+1", "d//2", "b+1", "_", "rows=2"])
_RUNS = st.sampled_from(["", "*n", "...", "*#n"])
_DTYPES = st.sampled_from([Float, Int, Bool, UInt8, Complex, Shaped])


@st.composite
def annotations(draw: st.DrawFn) -> Any:
    run, axes = draw(_RUNS), draw(st.lists(_AXES, max_size=4))
    axes.insert(draw(st.integers(0, len(axes))), run)
    return draw(_DTYPES)[Tensor, " ".join(filter(None, axes))]


@given(st.lists(annotations(), min_size=1, max_size=3), st.booleans())
def test_arguments_fit_what_they_were_made_from(annotated: list[Any], narrow: bool) -> None:
    def forward(self: Any, x: Any, y: Any = None, z: Any = None) -> None:
        return None

    plain = Float[Tensor, "b t d *n"]  # binds the names that stand in sums
    forward.__annotations__ = dict(zip("yz", annotated, strict=False)) | {"x": plain}
    model = subject(forward)
    plan = InputPlan(draw_sizes(model.specification.names(), {}, frozenset()), narrow=narrow)
    made = model.arguments(plan)
    checked(forward)(model.model, *made.args, **made.kwargs)
