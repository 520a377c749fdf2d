"""The activation layers: each calls the rule of its function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from shapecheck.ops.module import ModuleSpec, module
from shapecheck.ops.rules import activation as rules
from shapecheck.ops.rules.pointwise import to_float
from shapecheck.ops.shared.arguments import DTypeLike, Tensor
from shapecheck.ops.shared.parameters import parameter
from shapecheck.ops.shared.wording import wrong_rank
from shapecheck.spec import CallError, ShapeError, Size


class Switched(ModuleSpec):
    """A layer whose only setting is whether it changes its input in place."""

    rule: ClassVar[Callable[..., Tensor]]

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return type(self).rule(input, inplace=self.inplace)


class ElementwiseActivation(ModuleSpec):
    """A layer without settings."""

    rule: ClassVar[Callable[..., Tensor]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args or kwargs:
            raise CallError("takes no arguments")

    def forward(self, input: Tensor) -> Tensor:
        """The shape is kept."""
        return type(self).rule(input)


_TABLE: tuple[tuple[str, type[Switched | ElementwiseActivation], Callable[..., Tensor]], ...] = (
    ("ReLU", Switched, rules.relu),
    ("ReLU6", Switched, rules.relu6),
    ("SiLU", Switched, rules.silu),
    ("Mish", Switched, rules.smooth),
    ("SELU", Switched, rules.smooth),
    ("Hardswish", Switched, rules.smooth),
    ("Hardsigmoid", Switched, rules.smooth),
    ("LogSigmoid", ElementwiseActivation, rules.logsigmoid),
    ("Softsign", ElementwiseActivation, rules.softsign),
    ("Tanhshrink", ElementwiseActivation, rules.tanhshrink),
    ("Sigmoid", ElementwiseActivation, to_float),
    ("Tanh", ElementwiseActivation, to_float),
)

for _name, _base, _rule in _TABLE:
    _layer: type[ModuleSpec] = type(_name, (_base,), {"rule": staticmethod(_rule), "__doc__": _rule.__doc__})
    module(f"nn.{_name}")(_layer)


@module("nn.ELU")
class ELU(ModuleSpec):
    """The shape and the dtype are kept."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.alpha = alpha
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.elu(input, self.alpha, self.inplace)


@module("nn.CELU")
class CELU(ELU):
    """The shape and the dtype are kept."""

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.celu(input, self.alpha, self.inplace)


@module("nn.LeakyReLU")
class LeakyReLU(ModuleSpec):
    """The shape and the dtype are kept."""

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.leaky_relu(input, self.negative_slope, self.inplace)


@module("nn.GELU")
class GELU(ModuleSpec):
    """The shape and the dtype are kept."""

    def __init__(self, approximate: str = "none") -> None:
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.gelu(input, self.approximate)


@module("nn.Softplus")
class Softplus(ModuleSpec):
    """The shape and the dtype are kept."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.softplus(input, self.beta, self.threshold)


@module("nn.Hardshrink")
class Hardshrink(ModuleSpec):
    """The shape and the dtype are kept."""

    def __init__(self, lambd: float = 0.5) -> None:
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.hardshrink(input, self.lambd)


@module("nn.Softshrink")
class Softshrink(Hardshrink):
    """The shape and the dtype are kept."""

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.softshrink(input, self.lambd)


@module("nn.Hardtanh")
class Hardtanh(ModuleSpec):
    """The shape and the dtype are kept."""

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        self.inplace = inplace
        if (
            isinstance(self.min_val, (int, float))
            and isinstance(self.max_val, (int, float))
            and self.min_val >= self.max_val
        ):
            raise CallError(f"expected max_val to be greater than min_val, got {self.max_val} <= {self.min_val}")

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.hardtanh(input, self.min_val, self.max_val, self.inplace)


@module("nn.Threshold")
class Threshold(ModuleSpec):
    """The shape and the dtype are kept."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.threshold(input, self.threshold, self.value, self.inplace)


@module("nn.RReLU")
class RReLU(ModuleSpec):
    """The shape and the dtype are kept."""

    training = True

    def __init__(self, lower: float = 0.125, upper: float = 1 / 3, inplace: bool = False) -> None:
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.rrelu(input, self.lower, self.upper, self.training, self.inplace)


@module("nn.PReLU")
class PReLU(ModuleSpec):
    """The shape and the dtype are kept; one parameter for all channels, or one for each (dimension 1)."""

    def __init__(
        self, num_parameters: Size = 1, init: float = 0.25, device: object = None, dtype: DTypeLike = None
    ) -> None:
        self.num_parameters = num_parameters
        self.init = init
        self.weight = parameter((num_parameters,), dtype)

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.prelu(input, self.weight)

    def __repr__(self) -> str:
        return f"PReLU({self.num_parameters})"


@module("nn.GLU")
class GLU(ModuleSpec):
    """(..., 2 * n) gives (..., n)."""

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """(..., 2 * n) gives (..., n)."""
        return rules.glu(input, self.dim)


@module("nn.Softmax")
class Softmax(ModuleSpec):
    """The shape and the dtype are kept."""

    def __init__(self, dim: int | None = None) -> None:
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        return rules.softmax(input, self.dim)


@module("nn.LogSoftmax")
class LogSoftmax(Softmax):
    """The shape and the dtype are kept."""


@module("nn.Softmin")
class Softmin(Softmax):
    """The shape and the dtype are kept."""


@module("nn.Softmax2d")
class Softmax2d(ElementwiseActivation):
    """(n, c, h, w) or (c, h, w): the shape and the dtype are kept."""

    def forward(self, input: Tensor) -> Tensor:
        """The shape and the dtype are kept."""
        if input.rank not in (None, 3, 4):
            raise ShapeError(wrong_rank("the input", (3, 4), input.shape))
        return rules.softmax(input, -3)
