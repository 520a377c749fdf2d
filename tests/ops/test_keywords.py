"""Names of arguments that torch accepts beside those of its documentation."""

from __future__ import annotations

from typing import Any

import pytest

from shapecheck import infer
from shapecheck.spec import CallError, TensorSpec

X = TensorSpec((2, 2), "float32")
V = TensorSpec((2,), "float32")
ENDS = TensorSpec((3,), "int64")
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("FloatTensor", (), {"size": (1, 3)}, "torch.float32 (1, 3)"),
    ("Tensor", (), {"size": [1, 3]}, "torch.float32 (1, 3)"),
    ("LongTensor", (), {"data": [1, 2]}, "torch.int64 (2,)"),
    ("Tensor", (), {"other": X}, "torch.float32 (2, 2)"),
    ("FloatTensor", (), {"size": (4,), "device": "cpu"}, "torch.float32 (4,)"),
    ("sum", (), {"x": X, "axis": 0, "keepdims": True}, "torch.float32 (1, 2)"),
    ("add", (), {"x1": X, "x2": X}, "torch.float32 (2, 2)"),
    ("sigmoid", (), {"a": X}, "torch.float32 (2, 2)"),
    ("linalg.cholesky", (), {"input": X}, "torch.float32 (2, 2)"),
    ("linalg.eigvalsh", (), {"input": X}, "torch.float32 (2,)"),
    ("matrix_exp", (), {"x": X}, "torch.float32 (2, 2)"),
    ("det", (), {"input": X}, "torch.float32 ()"),
    ("inverse", (), {"a": X}, "torch.float32 (2, 2)"),
    ("linalg.eigvals", (), {"input": X}, "torch.complex64 (2,)"),
    ("polygamma", (), {"n": 1, "x": X}, "torch.float32 (2, 2)"),
    ("cholesky_solve", (), {"input": X, "input2": X}, "torch.float32 (2, 2)"),
    ("orgqr", (X,), {"input2": V}, "torch.float32 (2, 2)"),
    ("isin", (), {"elements": X, "test_element": 1}, "torch.bool (2, 2)"),
    ("special.chebyshev_polynomial_t", (), {"x": X, "n": 3}, "torch.float32 (2, 2)"),
    ("sparse_csr_tensor", (), {"crow_indices": ENDS, "col_indices": V, "values": V, "size": (2, 2)}, "(2, 2)"),
    ("sparse_csc_tensor", (), {"ccol_indices": ENDS, "row_indices": V, "values": V, "size": (2, 2)}, "(2, 2)"),
    ("split_copy", (), {"input": X, "split_size": 1}, "TensorSpec((1, 2), 'float32', layout='contiguous'))"),
    ("unsafe_split", (X,), {"split_size": 2, "dim": 1}, "(TensorSpec((2, 2), 'float32'),)"),
    ("view_copy", (X,), {"dtype": "int32"}, "torch.int32 (2, 2)"),
    ("view_copy", (), {"input": X, "size": (4, 1)}, "torch.float32 (4, 1)"),
    ("_reshape_alias_copy", (X,), {"size": (4,), "stride": (1,)}, "torch.float32 (4,)"),
    ("repeat_interleave", (), {"repeats": TensorSpec((2,), "int64"), "output_size": 5}, "torch.int64 (5,)"),
]
REFUSED: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("FloatTensor", (), {"size": 3}, "expected size to be a sequence of integers, got 3"),
    ("FloatTensor", (2,), {"size": (3,)}, "expected size to be the only argument besides device"),
    ("FloatTensor", (), {"sizes": (3,)}, 'got an unexpected keyword argument "sizes"; did you mean size?'),
    ("linalg.inv", (), {"input": X}, 'got an unexpected keyword argument "input"'),
    ("sum", (X,), {"x": X}, 'got multiple values for argument "input"'),
    (
        "split_copy",
        (X,),
        {"split_size_or_sections": 1},
        'unexpected keyword argument "split_size_or_sections"; did you mean split_size?',
    ),
    ("view_copy", (X,), {"shape": (4,)}, 'got an unexpected keyword argument "shape"; did you mean size?'),
    ("relu", (), {"y": X}, 'got an unexpected keyword argument "y"'),
]


@pytest.mark.parametrize(("name", "args", "kwargs", "result"), CALLS)
def test_further_names(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], result: str) -> None:
    assert str(infer(f"torch.{name}", *args, **kwargs)).endswith(result)


@pytest.mark.parametrize(("name", "args", "kwargs", "message"), REFUSED)
def test_names_that_torch_does_not_know(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(CallError) as caught:
        infer(f"torch.{name}", *args, **kwargs)
    assert str(caught.value).endswith(message)


def test_a_tensor_makes_another_one_of_its_type() -> None:
    assert str(infer("Tensor.new", X, size=(3, 4))) == "torch.float32 (3, 4)"
    assert str(infer("Tensor.new", X, data=[1.0])) == "torch.float32 (1,)"
