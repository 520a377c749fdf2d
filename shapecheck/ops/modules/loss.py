"""Losses as layers: each keeps its configuration and calls the function of `torch.nn.functional`."""

from __future__ import annotations

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules import loss, loss_class
from shapecheck.ops.rules.loss_sequence import Lengths, ctc_loss
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.ops.shared.loss_reduction import Legacy, mode_of
from shapecheck.ops.traits import Trait
from shapecheck.spec import CallError
from shapecheck.spec.presentation import value_text


class Loss(ModuleSpec):
    """A loss with a reduction."""

    def __init__(self, size_average: Legacy = None, reduce: Legacy = None, reduction: str = "mean") -> None:
        given = size_average is not None or reduce is not None
        self.reduction = mode_of(reduction, size_average, reduce) if given else reduction


class WeightedLoss(Loss):
    """A loss with a weight for each class or element."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Legacy = None,
        reduce: Legacy = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.weight = weight


@module("nn.L1Loss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class L1Loss(Loss):
    """Two tensors broadcast."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two tensors broadcast."""
        return loss.l1_loss(input, target, reduction=self.reduction)


@module("nn.MSELoss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class MSELoss(Loss):
    """Two floating tensors broadcast."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two floating tensors broadcast."""
        return loss.mse_loss(input, target, reduction=self.reduction)


@module("nn.SmoothL1Loss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class SmoothL1Loss(Loss):
    """Two floating tensors broadcast."""

    def __init__(
        self, size_average: Legacy = None, reduce: Legacy = None, reduction: str = "mean", beta: float = 1.0
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two floating tensors broadcast."""
        return loss.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


@module("nn.HuberLoss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class HuberLoss(Loss):
    """Two floating tensors broadcast."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        if isinstance(delta, (complex, str)):
            raise CallError(f"expected delta to be a float or an int, got {value_text(delta)}")
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two floating tensors broadcast."""
        return loss.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


@module("nn.BCELoss", traits=Trait.BATCH_FIRST)
class BCELoss(WeightedLoss):
    """Probabilities and targets of one shape and one floating dtype."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Probabilities and targets of one shape and one floating dtype."""
        return loss.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


@module("nn.BCEWithLogitsLoss", traits=Trait.BATCH_FIRST)
class BCEWithLogitsLoss(Loss):
    """Logits and targets of one shape."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Legacy = None,
        reduce: Legacy = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.weight = weight
        self.pos_weight = pos_weight

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Logits and targets of one shape."""
        return loss.binary_cross_entropy_with_logits(
            input, target, self.weight, reduction=self.reduction, pos_weight=self.pos_weight
        )


@module("nn.KLDivLoss", traits=Trait.BATCH_FIRST | Trait.BROADCASTING_LOSS)
class KLDivLoss(Loss):
    """Two floating tensors broadcast."""

    def __init__(
        self, size_average: Legacy = None, reduce: Legacy = None, reduction: str = "mean", log_target: bool = False
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Two floating tensors broadcast."""
        return loss.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


@module("nn.PoissonNLLLoss", traits=Trait.BROADCASTING_LOSS)
class PoissonNLLLoss(Loss):
    """Two tensors broadcast to a floating result."""

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: Legacy = None,
        eps: float = 1e-8,
        reduce: Legacy = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """Two tensors broadcast to a floating result."""
        return loss.poisson_nll_loss(log_input, target, self.log_input, self.full, None, self.eps, None, self.reduction)


@module("nn.GaussianNLLLoss", traits=Trait.BROADCASTING_LOSS)
class GaussianNLLLoss(Loss):
    """Input and target broadcast; the variance may lack the last dimension or have size 1 in one."""

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        """Input and target broadcast; the variance may lack the last dimension or have size 1 in one."""
        return loss.gaussian_nll_loss(input, target, var, self.full, self.eps, self.reduction)


@module("nn.HingeEmbeddingLoss", traits=Trait.BROADCASTING_LOSS)
class HingeEmbeddingLoss(Loss):
    """Distances and targets of 1 and -1 broadcast."""

    def __init__(
        self, margin: float = 1.0, size_average: Legacy = None, reduce: Legacy = None, reduction: str = "mean"
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Distances and targets of 1 and -1 broadcast."""
        return loss.hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


@module("nn.SoftMarginLoss")
class SoftMarginLoss(Loss):
    """A target that broadcasts to the floating input."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """A target that broadcasts to the floating input."""
        return loss.soft_margin_loss(input, target, reduction=self.reduction)


@module("nn.MultiLabelSoftMarginLoss")
class MultiLabelSoftMarginLoss(WeightedLoss):
    """(..., C) with a target and a weight that broadcast gives one loss for each row, (...)."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """(..., C) with a target and a weight that broadcast gives one loss for each row, (...)."""
        return loss.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


@module("nn.CrossEntropyLoss", traits=Trait.BATCH_FIRST)
class CrossEntropyLoss(WeightedLoss):
    """Scores (N, C, d1, ...) or (C,) with class indices (N, d1, ...) or (), or probabilities of their own shape."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Legacy = None,
        ignore_index: int = -100,
        reduce: Legacy = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Scores with class indices, or with probabilities of the scores' shape."""
        return loss_class.cross_entropy(
            input, target, self.weight, reduction=self.reduction, label_smoothing=self.label_smoothing
        )


@module("nn.NLLLoss", "nn.NLLLoss2d", traits=Trait.BATCH_FIRST)
class NLLLoss(WeightedLoss):
    """Log-probabilities (N, C, d1, ...) or (C,) with class indices (N, d1, ...) or ()."""

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Legacy = None,
        ignore_index: int = -100,
        reduce: Legacy = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """Log-probabilities with class indices."""
        return loss_class.nll_loss(input, target, self.weight, reduction=self.reduction)


@module("nn.CTCLoss")
class CTCLoss(Loss):
    """(T, N, C) with targets (N, S) or all in one row, or (T, C) with (S,), gives (N,) or ()."""

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths: Lengths, target_lengths: Lengths) -> Tensor:
        """(T, N, C) with targets (N, S) or all in one row, or (T, C) with (S,), gives (N,) or ()."""
        return ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction)
