"""Dropouts: they keep the shape and dtype."""

from __future__ import annotations

from shapecheck.ops.registry import op
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.dtypes import promoted
from shapecheck.ops.shared.elementwise import INTEGRAL, accept, combined, floated, kept, tensor
from shapecheck.spec import CallError, ShapeError
from shapecheck.spec.dtype import bool_
from shapecheck.spec.presentation import value_text


def dropped(input: Tensor, p: object, training: object, inplace: object = False, least_rank: int = 0) -> Tensor:
    """The input's shape and dtype; raises CallError for a p outside of [0, 1], ShapeError for too few dimensions."""
    x = tensor(input)
    probability = isinstance(p, (int, float))
    if probability and not 0 <= p <= 1:  # type: ignore[operator]  # it is a number
        raise CallError(f"expected p to be between 0 and 1, got {value_text(p)}")
    if training is True and probability and p != 0 and 0 not in x.shape.head:
        _need_input(x, p != 1, least_rank)
    return x if inplace is True or training is False else kept(x, x.dtype)


def _need_input(x: Tensor, scaled: bool, least_rank: int) -> None:
    if x.rank is not None and x.rank < least_rank:
        least = "1 dimension" if least_rank == 1 else f"{least_rank} dimensions"
        raise ShapeError(f"expected at least {least}, got shape {x.shape}")
    if scaled:
        accept(x.dtype, INTEGRAL)


@op("dropout")
def dropout(input: Tensor, p: object = 0.5, training: object = True, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    return dropped(input, p, training, inplace)


@op("alpha_dropout")
def alpha_dropout(input: Tensor, p: object = 0.5, training: object = False, inplace: object = False) -> Tensor:
    """Keeps the shape and dtype."""
    return dropped(input, p, training, inplace)


@op("dropout1d")
def dropout1d(input: Tensor, p: object = 0.5, training: object = True, inplace: object = False) -> Tensor:
    """(n, c, t) or (c, t): keeps the shape and dtype."""
    if input.rank not in (None, 2, 3):
        raise ShapeError(f"expected a 2-D or 3-D input, got shape {input.shape}")
    return dropped(input, p, training, inplace, 2)


@op("dropout2d", "feature_dropout")
def dropout2d(input: Tensor, p: object = 0.5, training: object = True, inplace: object = False) -> Tensor:
    """(n, c, ...): keeps the shape and dtype."""
    return dropped(input, p, training, inplace, 2)


@op("dropout3d")
def dropout3d(input: Tensor, p: object = 0.5, training: object = True, inplace: object = False) -> Tensor:
    """(n, c, d, h, w) or, without the batch, (c, d, h, w): keeps the shape and dtype."""
    return dropped(input, p, training, inplace, 1)


@op("feature_alpha_dropout")
def feature_alpha_dropout(input: Tensor, p: object = 0.5, training: object = False, inplace: object = False) -> Tensor:
    """(n, c, ...): keeps the shape and dtype."""
    return dropped(input, p, training, inplace, 2)


@op("torch.dropout", "aten.dropout", "torch.alpha_dropout", "aten.alpha_dropout")
def dropout_of_torch(input: Tensor, p: object, train: object) -> Tensor:
    """Keeps the shape and dtype; unlike those of torch.nn.functional, it calls its last parameter `train`."""
    return dropped(input, p, train)


@op("torch.feature_dropout", "aten.feature_dropout", "torch.feature_alpha_dropout", "aten.feature_alpha_dropout")
def feature_dropout_of_torch(input: Tensor, p: object, train: object) -> Tensor:
    """(n, c, ...): keeps the shape and dtype."""
    return dropped(input, p, train, least_rank=2)


@op("native_dropout")
def native_dropout(input: Tensor, p: object, train: object) -> tuple[Tensor, Tensor]:
    """The result, and the bool mask of the elements that were kept."""
    if train is not False and p != 0:
        accept(input.dtype, INTEGRAL)
    return kept(input, input.dtype), kept(input, bool_)


@op("native_dropout_backward")
def native_dropout_backward(grad_output: Tensor, mask: Tensor, scale: object) -> Tensor:
    """The gradient's shape and dtype."""
    return combined(floated(promoted(grad_output, mask)), grad_output, mask)
