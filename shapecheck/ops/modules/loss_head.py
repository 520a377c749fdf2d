"""Losses with a classifier inside."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.registry import rule_of
from shapecheck.ops.rules.loss_class import linear_cross_entropy
from shapecheck.ops.rules.rnn import need_width
from shapecheck.ops.shared.arguments import DTypeLike, Tensor, fresh, need_equal
from shapecheck.ops.shared.dtypes import need_same_dtype
from shapecheck.ops.shared.wording import wrong_rank
from shapecheck.spec import CallError, DTypeError, Shape, ShapeError, Size
from shapecheck.spec.dtype import int32, int64
from shapecheck.spec.presentation import value_text


class ASMoutput(NamedTuple):
    """The result of AdaptiveLogSoftmaxWithLoss: the log-probability of each target, and their negative mean."""

    output: Tensor
    loss: Tensor


@module("nn.AdaptiveLogSoftmaxWithLoss")
class AdaptiveLogSoftmaxWithLoss(ModuleSpec):
    """(N, in_features) with class indices (N,), or (in_features,) with (), gives (N,) or (), and the loss."""

    def __init__(
        self,
        in_features: Size,
        n_classes: Size,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: object = None,
        dtype: DTypeLike = None,
    ) -> None:
        cutoffs = list(cutoffs)
        last = n_classes - 1
        if not cutoffs:
            raise CallError(f"expected a non-empty sequence of cutoffs, got {value_text(cutoffs)}")
        if all(type(one) is int for one in cutoffs):
            rising = all(low < high for low, high in zip([0, *cutoffs], cutoffs, strict=False))
            if not rising or (type(last) is int and cutoffs[-1] > last):
                raise CallError(f"expected increasing cutoffs from 1 to {last}, got {value_text(cutoffs)}")
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = cutoffs[0]
        self.n_clusters = len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head: Any = _linear(in_features, self.head_size, bias=head_bias, dtype=dtype)

    def forward(self, input_: Tensor, target_: Tensor) -> ASMoutput:
        """(N, in_features) with class indices (N,), or (in_features,) with (), gives (N,) or (), and the loss."""
        if target_.rank is not None and target_.rank > 1:
            raise ShapeError(wrong_rank("the target", (0, 1), target_.shape))
        if target_.rank is not None and input_.rank not in (target_.rank + 1, None):
            expected = wrong_rank("the input", (target_.rank + 1,), input_.shape)
            raise ShapeError(f"{expected} (target of shape {target_.shape})")
        need_width(input_, self.in_features)
        if target_.dtype not in (int32, int64, None):
            raise DTypeError(f"expected the target to have dtype torch.int64, got {target_.dtype}")
        dtype = need_same_dtype(("input", input_), ("weight", self.head.weight))
        if target_.rank == 1 and input_.rank is not None:
            shapes = f"{input_.shape} and {target_.shape}"
            message = f"expected input and target to have the same batch size, got shapes {shapes}"
            need_equal(input_.dims[0], target_.dims[0], message)
        return ASMoutput(fresh(target_.dims, dtype, input_), fresh((), dtype, input_))

    def __repr__(self) -> str:
        return f"AdaptiveLogSoftmaxWithLoss({self.in_features}, {self.n_classes}, {value_text(self.cutoffs[:-1])})"


@module("nn.LinearCrossEntropyLoss")
class LinearCrossEntropyLoss(ModuleSpec):
    """(N, in_features) or (in_features,) through a linear layer, then cross_entropy over (N, num_classes, ...)."""

    def __init__(
        self,
        in_features: Size,
        num_classes: Size,
        *,
        out_features: tuple[Size, ...] = (),
        bias: bool = False,
        device: object = None,
        dtype: DTypeLike = None,
        reduction: str = "mean",
        weight: Tensor | None = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: object = None,
    ) -> None:
        if weight is not None and weight.rank is not None:
            message = f"expected a weight of shape {Shape((num_classes,))}, got {weight.shape}"
            if weight.rank != 1:
                raise ShapeError(message)
            need_equal(weight.dims[0], num_classes, message)
        if isinstance(label_smoothing, (int, float)) and not 0 <= label_smoothing <= 1:
            raise CallError(f"expected label_smoothing to be between 0 and 1, got {label_smoothing}")
        self.num_classes = num_classes
        self.out_features = tuple(out_features)
        self.reduction = reduction
        self.weight = weight
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        self.options = options
        self.linear: Any = _linear(in_features, prod(self.out_features, start=num_classes), bias=bias, dtype=dtype)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """(N, in_features) or (in_features,) with class indices or probabilities."""
        classes = (self.num_classes, *self.out_features)
        weight, bias = self.linear.weight, self.linear.bias
        return linear_cross_entropy(
            input,
            weight.with_shape(Shape((*classes, *weight.dims[-1:])), "contiguous"),
            target,
            linear_bias=None if bias is None else bias.with_shape(Shape(classes), "contiguous"),
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )


def _linear(in_features: Size, out_features: Size, *, bias: bool, dtype: DTypeLike) -> Any:
    return rule_of("nn.Linear")(in_features, out_features, bias=bias, dtype=dtype)
