"""backward and autograd.grad: what they accept is what torch accepts."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from shapecheck.ops import UNKNOWN, Unknown, infer
from shapecheck.spec import ShapeError, TensorSpec

OUTPUTS = [(), (1,), (1, 1), (4,), (2, 3)]
GRADIENTS = [None, (), (1,), (1, 1), (4,), (2, 3), (3, 2), (1, 2, 3)]


def spec(*shape: Any) -> TensorSpec:
    return TensorSpec(shape, "float32")


def accepted_by_torch(output: tuple[int, ...], gradient: tuple[int, ...] | None) -> bool:
    result = torch.ones(output, requires_grad=True) * 2
    try:
        result.backward(None if gradient is None else torch.ones(gradient))
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("gradient", GRADIENTS)
@pytest.mark.parametrize("output", OUTPUTS)
def test_as_torch(output: tuple[int, ...], gradient: tuple[int, ...] | None) -> None:
    given = None if gradient is None else spec(*gradient)
    calls: list[tuple[str, tuple[Any, ...]]] = [
        ("Tensor.backward", (spec(*output), given)),
        ("autograd.backward", (spec(*output), given)),
        ("autograd.grad", (spec(*output), spec(2), given)),
    ]
    for name, args in calls:
        if accepted_by_torch(output, gradient):
            infer(name, *args)
        else:
            with pytest.raises(ShapeError):
                infer(name, *args)


def test_gradients_have_the_shapes_of_the_inputs() -> None:
    x, w = spec("b", "t", 8), spec(8)
    assert infer("autograd.grad", spec(), [x, w]) == (x, w)
    assert infer("autograd.grad", spec(), x, create_graph=True) == (x,)
    assert infer("autograd.grad", [spec(), spec("b")], x, grad_outputs=[None, spec("b")]) == (x,)


def test_what_may_be_none_is_unknown() -> None:
    (one,) = infer("autograd.grad", spec(), spec(3), allow_unused=True)
    assert isinstance(one, Unknown)
    assert infer("autograd.grad", spec(), spec(3), allow_unused=True, materialize_grads=True) == (spec(3),)
    assert isinstance(infer("autograd.grad", spec(2), spec(3), spec(5, 2), is_grads_batched=True), Unknown)


def test_the_number_of_unknown_tensors_is_unknown() -> None:
    """They may be one tensor or many."""
    assert isinstance(infer("autograd.grad", spec(), UNKNOWN), Unknown)
    assert infer("autograd.grad", UNKNOWN, spec(3), UNKNOWN) == (spec(3),)
    assert infer("autograd.grad", [spec(), spec()], [spec(3)], UNKNOWN) == (spec(3),)
    infer("autograd.backward", [spec(2), spec(2)], UNKNOWN)


def test_an_unknown_size_may_be_1() -> None:
    for shape in (("n",), ("...",)):
        infer("Tensor.backward", spec(*shape))
        infer("Tensor.backward", spec(*shape), UNKNOWN)
    with pytest.raises(ShapeError, match="expected 2 gradients of outputs, got 1"):
        infer("autograd.backward", [spec(), spec()], [spec()])
