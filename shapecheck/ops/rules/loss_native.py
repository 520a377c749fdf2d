"""The losses as `torch.*` and aten operators declare them: without deprecated flags, in another order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapecheck.ops.registry import op, register
from shapecheck.ops.rules import loss, loss_class, loss_pairs
from shapecheck.ops.shared.arguments import Tensor, fresh, fresh_shape
from shapecheck.ops.shared.loss_reduction import Reduction
from shapecheck.spec import CallError

_ORDERS: tuple[tuple[Callable[..., Tensor], str, str], ...] = (
    (loss.mse_loss, "aten.mse_loss", "input target reduction"),
    (loss.l1_loss, "aten.l1_loss", "input target reduction"),
    (loss.smooth_l1_loss, "aten.smooth_l1_loss", "input target reduction beta"),
    (loss.soft_margin_loss, "aten.soft_margin_loss", "input target reduction"),
    (loss.binary_cross_entropy, "aten.binary_cross_entropy", "input target weight reduction"),
    (
        loss.binary_cross_entropy_with_logits,
        "torch.binary_cross_entropy_with_logits aten.binary_cross_entropy_with_logits",
        "input target weight pos_weight reduction",
    ),
    (loss.kl_div, "torch.kl_div aten.kl_div", "input target reduction"),
    (
        loss.poisson_nll_loss,
        "torch.poisson_nll_loss aten.poisson_nll_loss",
        "input target log_input full eps reduction",
    ),
    (
        loss.hinge_embedding_loss,
        "torch.hinge_embedding_loss aten.hinge_embedding_loss",
        "input target margin reduction",
    ),
    (
        loss_pairs.margin_ranking_loss,
        "torch.margin_ranking_loss aten.margin_ranking_loss",
        "input1 input2 target margin reduction",
    ),
    (
        loss_pairs.cosine_embedding_loss,
        "torch.cosine_embedding_loss aten.cosine_embedding_loss",
        "input1 input2 target margin reduction",
    ),
    (
        loss_pairs.triplet_margin_loss,
        "torch.triplet_margin_loss aten.triplet_margin_loss",
        "anchor positive negative margin p eps swap reduction",
    ),
    (loss_class.multi_margin_loss, "aten.multi_margin_loss", "input target p margin weight reduction"),
    (loss_class.multilabel_margin_loss, "aten.multilabel_margin_loss", "input target reduction"),
    (
        loss_class.cross_entropy,
        "aten.cross_entropy_loss",
        "input target weight reduction ignore_index label_smoothing",
    ),
    (
        loss_class.nll_loss,
        "aten.nll_loss aten.nll_loss_nd aten.nll_loss2d",
        "input target weight reduction ignore_index",
    ),
)


def _reordered(rule: Callable[..., Tensor], parameters: tuple[str, ...], reduction: str) -> Callable[..., Tensor]:
    def reordered(*args: Any, **kwargs: Any) -> Tensor:
        if len(args) > len(parameters):
            raise CallError(
                f"takes {len(parameters)} positional arguments but {len(args)} were given: ({', '.join(parameters)})"
            )
        named = {parameters[0] if name == "self" else name: value for name, value in kwargs.items()}
        given = dict(zip(parameters, args, strict=False)) | named
        return rule(**{"reduction": reduction, **given})

    reordered.__module__ = rule.__module__
    return reordered


for _rule, _names, _parameters in _ORDERS:
    for _name in _names.split():
        # The functions of `torch` do not reduce unless they are told to; those of aten take the mean.
        _default = "mean" if _name.startswith("aten.") else "none"
        register(_reordered(_rule, tuple(_parameters.split()), _default), _name)


@op("nll_loss_forward", "nll_loss2d_forward")
def nll_loss_forward(
    self: Tensor, target: Tensor, weight: Tensor | None, reduction: Reduction, ignore_index: object
) -> tuple[Tensor, Tensor]:
    """nll_loss, and the sum of the weights used."""
    return loss_class.nll_loss(self, target, weight, reduction=reduction), fresh((), self.dtype, self)


@op("multilabel_margin_loss_forward")
def multilabel_margin_loss_forward(self: Tensor, target: Tensor, reduction: Reduction) -> tuple[Tensor, Tensor]:
    """multilabel_margin_loss, and which classes are targets."""
    result = loss_class.multilabel_margin_loss(self, target, reduction=reduction)
    return result, fresh_shape(target.shape, self.dtype, self)
