"""Other forms of a call: sizes one by one, factors in front, results written into `out`, compared with torch."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import CallError, ShapeError, TensorSpec, infer

torch = pytest.importorskip("torch")


def zeros(*dims: int, dtype: str = "float32") -> Any:
    return torch.zeros(dims, dtype=getattr(torch, dtype))


X, Y, SMALL = zeros(2, 1, 4, 1), zeros(2, 1, 4, 1), zeros(4)
M, N, B = zeros(3, 4), zeros(4, 5), zeros(3, 5)
FORMS = [
    ("squeeze", X, (1, 3), {}),
    ("squeeze", X, (1,), {}),
    ("count_nonzero", X, (0, 1), {}),
    ("broadcast_to", SMALL, (2, 3, 1, 4), {}),
    ("broadcast_to", SMALL, ((2, 4),), {}),
    ("hsplit", zeros(4, 6), (1, 2), {}),
    ("vsplit", zeros(4, 6), (1, 2), {}),
    ("dsplit", zeros(1, 1, 6), (2, 4), {}),
    ("add", X, (2, Y), {}),
    ("sub_", X, (0.5, Y), {}),
    ("addcmul", X, (2, X, Y), {}),
    ("addcdiv_", X, (-0.1, X, Y), {}),
    ("addmm", B, (2, M, N), {}),
    ("addmm", B, (2, 3, M, N), {}),
    ("addmm_", B, (M, N), {"beta": 2}),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "receiver", "args", "kwargs"), FORMS)
def test_torch_accepts_it_and_the_result_has_its_shape(
    name: str, receiver: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    expected = getattr(receiver.clone(), name)(*args, **kwargs)
    found = infer(f"Tensor.{name}", receiver, *args, **kwargs)
    several = isinstance(expected, tuple)
    for one, other in zip(found if several else [found], expected if several else [expected], strict=True):
        assert (tuple(one.shape), str(one.dtype)) == (tuple(other.shape), str(other.dtype))


REFUSED = [
    ("squeeze", X, (1, 7), ShapeError),
    ("broadcast_to", SMALL, (2, 3), ShapeError),
    ("add", X, (1, 2, Y), CallError),
    ("addcdiv", X, (1, 2, X, Y), CallError),
    ("relu", X, (1, 2), CallError),
]


@pytest.mark.parametrize(("name", "receiver", "args", "error"), REFUSED)
def test_what_torch_refuses_in_such_a_form(
    name: str, receiver: Any, args: tuple[Any, ...], error: type[Exception]
) -> None:
    with pytest.raises((RuntimeError, TypeError, IndexError)):
        getattr(receiver, name)(*args)
    with pytest.raises(error):
        infer(f"Tensor.{name}", receiver, *args)


WRITTEN = [
    ("arange", (1, 4), zeros(3)),
    ("arange", (1, 4), zeros(3, dtype="float64")),
    ("add", (zeros(3), zeros(3)), zeros(3, dtype="float64")),
    ("matmul", (M, N), zeros(3, 5)),
    ("eq", (zeros(3), zeros(3)), zeros(3)),
    ("cat", ([M, M],), zeros(0)),
    ("max", (M, 1), (zeros(3), zeros(3, dtype="int64"))),
    ("linalg.qr", (M,), (zeros(0), zeros(0))),
]


@pytest.mark.parametrize(("name", "args", "out"), WRITTEN)
def test_a_result_that_is_written_into_out_has_its_dtype(name: str, args: tuple[Any, ...], out: Any) -> None:
    found = infer(f"torch.{name}", *args, out=out)
    function = torch.linalg.qr if name == "linalg.qr" else getattr(torch, name)
    expected = function(*args, out=out)
    several = isinstance(expected, tuple)
    for one, other in zip(found if several else [found], expected if several else [expected], strict=True):
        assert (tuple(one.shape), str(one.dtype)) == (tuple(other.shape), str(other.dtype))


def test_the_names_of_several_results_are_kept() -> None:
    found = infer("torch.max", TensorSpec((3, 4), "float32"), 1, out=(zeros(3), zeros(3, dtype="int64")))
    assert str(found.indices.dtype) == "torch.int64"


def test_the_dtype_of_an_unknown_out_is_unknown() -> None:
    assert infer("torch.arange", 3, out=TensorSpec((3,))).dtype is None
