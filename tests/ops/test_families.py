"""The law of `laws.agree` for families whose own tests are tables: random sizes, with numbers and with names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional

from tests.ops.laws import T, agree


def cube(a: Any, b: Any, c: Any) -> T:
    return T(a, b, c)


CALLS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "exp": (torch.exp, cube),
    "logical_not": (torch.logical_not, cube),
    "special.zeta": (torch.special.zeta, lambda a, b, c: (T(a, 1, c), T(b, 1))),
    "Tensor.half": (torch.Tensor.half, cube),
    "Tensor.type_as": (torch.Tensor.type_as, lambda a, b, c: (T(a, b), T(c, dtype="int64"))),
    "F.dropout": (functional.dropout, lambda a, b, c: (T(a, b, c), 0.5)),
    "fill": (torch.fill, lambda a, b, c: (T(a, b, c), 2.0)),
    "__getitem__": (
        torch.Tensor.__getitem__,
        lambda a, b, c: (T(a, b + 2, c), (slice(None), slice(1, -1), None, slice(None, None, 2))),
    ),
    "linalg.qr": (torch.linalg.qr, cube),
    "linalg.svdvals": (torch.linalg.svdvals, cube),
    "linalg.det": (torch.linalg.det, lambda a, b, c: T(a, b, b)),
    "linalg.pinv": (torch.linalg.pinv, cube),
    "lstm_cell": (
        torch.lstm_cell,
        lambda a, b, c: (T(a, b), (T(a, c), T(a, c)), T(4 * c, b), T(4 * c, c)),
    ),
    "fft.rfft": (torch.fft.rfft, cube),
    "fft.irfft": (torch.fft.irfft, lambda a, b, c: T(a, b, c + 1, dtype="complex64")),
    "masked.sum": (torch.masked.sum, lambda a, b, c: (T(a, b, c), 1)),
    "rand_like": (torch.rand_like, cube),
    "signal.windows.hann": (torch.signal.windows.hann, lambda a, b, c: a * b + c),
    "complex": (torch.complex, lambda a, b, c: (T(a, 1, c), T(b, 1))),
}
sizes = st.integers(1, 5)


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=30)
@given(sizes, sizes, sizes)
def test_numbers_put_into_the_symbolic_result_give_torchs(name: str, a: int, b: int, c: int) -> None:
    function, arguments = CALLS[name]
    agree(name, function, arguments, {"a": a, "b": b, "c": c})
