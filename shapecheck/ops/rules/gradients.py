"""Gradients: `backward`, and `autograd.grad`, whose results have the shapes of the inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor, need_equal
from shapecheck.ops.traits import Trait
from shapecheck.ops.unknown import Unknown
from shapecheck.spec import ShapeError, Unanswered
from shapecheck.spec.strides import numel

Tensors: TypeAlias = Tensor | Sequence[Tensor | Unknown | None]


@op("Tensor.backward")
def backward(
    self: Tensor,
    gradient: Tensor | Unknown | None = None,
    retain_graph: object = None,
    create_graph: object = False,
    inputs: object = None,
) -> None:
    """Nothing; the gradient has the shape of the tensor, and may be left out for one element."""
    _need_gradient(self, gradient)


@op("autograd.backward")
def backward_of(
    tensors: Tensors | Unknown,
    grad_tensors: Tensors | Unknown | None = None,
    retain_graph: object = None,
    create_graph: object = False,
    grad_variables: object = None,
    inputs: object = None,
) -> None:
    """The same for several tensors."""
    if grad_variables is None:
        _need_gradients(tensors, grad_tensors)


@op("autograd.grad", traits=Trait.SEVERAL_RESULTS)
def grad(
    outputs: Tensors | Unknown,
    inputs: Tensors,
    grad_outputs: Tensors | Unknown | None = None,
    retain_graph: object = None,
    create_graph: object = False,
    only_inputs: object = True,
    allow_unused: object = None,
    is_grads_batched: object = False,
    materialize_grads: object = False,
) -> tuple[Any, ...]:
    """One gradient for each input, of its shape; unknown where it may be None.

    Raises Unanswered for batches of gradients.
    """
    if is_grads_batched is not False:
        raise Unanswered("batches of gradients")
    _need_gradients(outputs, grad_outputs)
    may_be_none = allow_unused not in (None, False) and materialize_grads is not True
    return tuple(Unknown("a gradient that may be None") if may_be_none else one for one in _several(inputs))


def _several(tensors: Tensors) -> Sequence[Tensor | Unknown | None]:
    return (tensors,) if isinstance(tensors, Tensor) else tensors


def _need_gradients(outputs: Tensors | Unknown, gradients: Tensors | Unknown | None) -> None:
    """Raises ShapeError if there is another number of gradients than of outputs, or one of another shape."""
    if isinstance(outputs, Unknown) or isinstance(gradients, Unknown):
        return
    of_outputs = _several(outputs)
    given = (None,) * len(of_outputs) if gradients is None else _several(gradients)
    if len(given) != len(of_outputs):
        raise ShapeError(f"expected {len(of_outputs)} gradients of outputs, got {len(given)}")
    for output, gradient in zip(of_outputs, given, strict=True):
        if isinstance(output, Tensor):
            _need_gradient(output, gradient)


def _need_gradient(output: Tensor, gradient: Tensor | Unknown | None) -> None:
    if gradient is None:
        count = None if output.rank is None else numel(output.dims)
        if isinstance(count, int) and count != 1:
            raise ShapeError(f"expected an output of one element, or a gradient for it, got shape {output.shape}")
    elif isinstance(gradient, Tensor) and gradient.rank is not None and output.rank is not None:
        message = f"expected a gradient of shape {output.shape}, got {gradient.shape}"
        if gradient.rank != output.rank:
            raise ShapeError(message)
        for given, size in zip(gradient.dims, output.dims, strict=True):
            need_equal(given, size, message)
