"""The dropout layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules import dropout as rules
from shapecheck.ops.shared.arguments import Tensor
from shapecheck.spec import CallError


class DropoutLayer(ModuleSpec):
    """The shape and the dtype stay."""

    rule: ClassVar[Callable[..., Tensor]]
    training = True

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        if isinstance(p, (int, float)) and not 0 <= p <= 1:
            raise CallError(f"expected p to be between 0 and 1, got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype stay."""
        return type(self).rule(input, self.p, self.training, self.inplace)


@module("nn.Dropout")
class Dropout(DropoutLayer):
    """The shape and the dtype stay."""

    rule = rules.dropout


@module("nn.Dropout1d")
class Dropout1d(DropoutLayer):
    """(n, c, t) or (c, t): the shape and the dtype stay."""

    rule = rules.dropout1d


@module("nn.Dropout2d")
class Dropout2d(DropoutLayer):
    """(n, c, ...): the shape and the dtype stay."""

    rule = rules.dropout2d


@module("nn.Dropout3d")
class Dropout3d(DropoutLayer):
    """(n, c, ...): the shape and the dtype stay."""

    rule = rules.dropout3d


@module("nn.AlphaDropout")
class AlphaDropout(DropoutLayer):
    """The shape and the dtype stay."""

    rule = rules.alpha_dropout


@module("nn.FeatureAlphaDropout")
class FeatureAlphaDropout(DropoutLayer):
    """(n, c, ...): the shape and the dtype stay."""

    rule = rules.feature_alpha_dropout
